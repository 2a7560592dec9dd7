"""What is plugged in: embedders and taggers, behind small contracts."""
