"""Config: sections, layers, origins, faults, schema."""
