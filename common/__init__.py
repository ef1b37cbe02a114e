"""What every layer may use: errors that a user can mend."""
