/**
 * Whether it is in a part of the page that is drawn: not what `content-visibility` leaves out as far away, which would be
 * laid out for nothing if it were measured.
 */
export const isDrawn = (element: Element): boolean =>
  element.checkVisibility({ contentVisibilityAuto: true } as CheckVisibilityOptions)
