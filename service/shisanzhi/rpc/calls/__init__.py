"""How a call is answered: from the bytes that arrive to the bytes that leave."""
