"""Messages of the contract <-> values of the engine; the only place that names their fields."""
