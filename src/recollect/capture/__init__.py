"""A message comes in: the gate, the conversation it joins, the statement that is kept as it is."""
