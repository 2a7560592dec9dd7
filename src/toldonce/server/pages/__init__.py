"""The web pages: a request of a signed-in person comes in, a page goes out; nothing here reads a store by itself.

Every page is a row of `table.PAGES` and every form a row of `table.ACTS`. Pages run the operations of the REST API with
the identity of the request, so that they show and change what that identity may see and change.
"""
