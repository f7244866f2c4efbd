import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { leaveTexts } from './texts.ts'

export { clock } from '../../parts/days.ts'

/** Formats amounts of leave and ranges of days. */
export function useLeaveWords() {
  const t = useTexts(leaveTexts)
  const { day } = useFormats()
  return {
    /** 2.5 → 2.5 days, with at most two decimals. */
    amount: (count: number, unit: string) =>
      t(unit === 'hours' ? 'hours' : 'days', { count: Math.round(count * 100) / 100 }),
    /** 1 Dec – 5 Dec 2026, or one day. */
    stretch: (first: string, last: string) => {
      if (first === last) return day(first)
      const isSameYear = first.slice(0, 4) === last.slice(0, 4)
      return `${isSameYear ? day(first, { day: 'numeric', month: 'short' }) : day(first)} – ${day(last)}`
    },
  }
}
