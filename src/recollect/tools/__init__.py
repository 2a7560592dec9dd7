"""The one table of tools that feeds MCP, hosts and the command line."""
