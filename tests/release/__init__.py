"""Tests of release/, which builds and checks what is published."""
