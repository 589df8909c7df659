/** Translations of the phrases of CodeMirror, by its English phrase. */
export function codePhrases(): Record<string, string> {
  return {
    ...searchPhrases(),
    'Control character': $localize`Control character`,
    'Selection deleted': $localize`Selection deleted`,
    'Go to line': $localize`Go to line`,
    go: $localize`Go`,
    '$ unchanged lines': $localize`Show $ unchanged lines`,
  };
}

function searchPhrases(): Record<string, string> {
  return {
    Find: $localize`Find`,
    Replace: $localize`Replace`,
    next: $localize`Next`,
    previous: $localize`Previous`,
    all: $localize`All`,
    'match case': $localize`Match case`,
    regexp: $localize`Pattern`,
    'by word': $localize`Whole words`,
    replace: $localize`Replace`,
    'replace all': $localize`Replace all`,
    close: $localize`Close`,
    'current match': $localize`Current match`,
    'on line': $localize`on line`,
    to: $localize`to`,
    'replaced match on line $': $localize`Replaced on line $`,
    'replaced $ matches': $localize`Replaced $ matches`,
  };
}
