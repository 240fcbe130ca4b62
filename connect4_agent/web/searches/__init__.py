"""The searches of the web server, in processes of their own."""
