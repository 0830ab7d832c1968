/** Returns in which direction a language is written. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  /^(?:ar|fa|he|ur|yi|ckb|ps|sd|ug|dv)\b/.test(language) ? 'rtl' : 'ltr'
