// The page: the filter, and what it leaves.

showPage([filterSection(), scoreSection(), plotSection(), taskSection(), toolSection()], shownCount());
