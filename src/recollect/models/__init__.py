"""What is plugged in: embedders, rerankers, chat models and taggers, behind small contracts."""
