import { useLeaveAmount } from '../../parts/leave-amount.ts'
import { useFormats } from '../../texts/formats.ts'

export { clock } from '../../parts/days.ts'

/** Formats amounts of leave and ranges of days. */
export function useLeaveWords() {
  const amount = useLeaveAmount()
  const { day } = useFormats()
  return {
    amount,
    /** 1 Dec – 5 Dec 2026, or one day. */
    stretch: (first: string, last: string) => {
      if (first === last) return day(first)
      const isSameYear = first.slice(0, 4) === last.slice(0, 4)
      return `${isSameYear ? day(first, { day: 'numeric', month: 'short' }) : day(first)} – ${day(last)}`
    },
  }
}
