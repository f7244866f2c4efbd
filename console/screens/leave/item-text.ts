import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import type { InboxItem } from './inbox.ts'
import { leaveTexts } from './texts.ts'
import { clock, useLeaveWords } from './words.ts'

/** Describes an item in one line. */
export function useItemText() {
  const t = useTexts(leaveTexts)
  const { day } = useFormats()
  const words = useLeaveWords()
  const hours = (minutes: number) => t('clockHours', { amount: clock(minutes) })
  return (item: InboxItem) => {
    if (item.kind === 'leave') {
      const { leave_type, starts_on, ends_on, amount, tracking_time_in } = item.request
      return `${leave_type}, ${words.stretch(starts_on, ends_on)} · ${words.amount(amount, tracking_time_in)}`
    }
    if (item.kind === 'overtime') {
      const { date, minutes, credited_minutes: credited } = item.request
      const counts = credited && credited !== minutes ? `, ${t('countsAs', { amount: hours(credited) })}` : ''
      return `${t('overtime')}, ${day(date)} · ${hours(minutes)}${counts}`
    }
    return `${t('timesheet', { day: day(item.week) })} · ${hours(item.minutes)}`
  }
}
