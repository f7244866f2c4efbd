import { useEffect, useState } from 'react'

/** The longest time between the two clicks of a double click. */
const DOUBLE_CLICK = 600

/**
 * Has it been the same for long enough for a press to be meant? A button that has just changed under the pointer would
 * get the second click of a double click. `what` is null while it is unknown.
 */
export function useSettled(what: string | null, isNew = false): boolean {
  const [settled, setSettled] = useState(isNew ? null : what)
  if (settled === null && what !== null && !isNew) setSettled(what)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(what), DOUBLE_CLICK)
    return () => clearTimeout(timer)
  }, [what])
  return settled === what
}
