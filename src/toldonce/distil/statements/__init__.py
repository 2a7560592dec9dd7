"""What people say, kept in their own words: found, weighed, compared with what was said before, and stored."""
