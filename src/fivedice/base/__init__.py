"""Small helpers that know no rule: errors, optional extras, languages, the folder of data, and plots."""
