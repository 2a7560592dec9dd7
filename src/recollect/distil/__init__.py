"""A finished conversation becomes knowledge: notes, facts, documents, and how they meet what is known."""
