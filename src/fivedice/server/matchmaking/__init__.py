"""Finding an opponent: open seats, who fits whom, and who wants to meet whom no more."""
