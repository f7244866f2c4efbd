import { useEffect, useState } from 'react'

/** The longest that the second half of a double click comes after the first. */
const DOUBLE_CLICK = 600

/**
 * Is it this for long enough that a press means it? A button that has just become another one under the pointer would
 * take the second half of a double click. Null while it is not known yet what it is.
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
