import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Icon } from '../../shell/icons.tsx'
import { useFilters } from '../../shell/router.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { profileTexts } from './texts.ts'

const DAY = 86_400_000
const numberOf = (day: string) => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY)
const dayOf = (number: number) => new Date(number * DAY).toISOString().slice(0, 10)

/** A slider for the day, over the time of the employment, with marks for changes. The address keeps the day. */
export function AsOf({ first, last, changes }: { first: string; last: string; changes: readonly string[] }) {
  const t = useTexts(profileTexts)
  const { day } = useFormats()
  const { get, set } = useFilters()
  const chosen = get('as_of') || today()
  const [shown, setShown] = useState(chosen)
  useEffect(() => setShown(chosen), [chosen])
  const [from, to] = [numberOf(first), Math.max(numberOf(last), numberOf(first) + 1)]
  const go = (next: string) => {
    setShown(next)
    set({ as_of: next === today() ? undefined : next })
  }
  // No requests while the user drags it.
  const settle = () => {
    if (shown !== chosen) go(shown)
  }
  const days = [...new Set([...changes, today()])].filter((one) => one >= first && one <= dayOf(to)).sort()
  const before = days.findLast((one) => one < shown)
  const after = days.find((one) => one > shown)
  return (
    <Group gap="xs" wrap="nowrap" className="profile-as-of no-print">
      <Text size="sm" c="dimmed" className="profile-as-of-name">
        {t('asOf')}
      </Text>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('previousChange')}
        disabled={!before}
        onClick={() => before && go(before)}
      >
        <Icon name="left" />
      </ActionIcon>
      <div className="profile-slider">
        <input
          type="range"
          min={from}
          max={to}
          value={Math.min(to, Math.max(from, numberOf(shown)))}
          aria-label={t('asOfSlider')}
          aria-valuetext={day(shown)}
          onChange={(event) => setShown(dayOf(Number(event.currentTarget.value)))}
          onPointerUp={settle}
          onKeyUp={settle}
          onBlur={settle}
        />
        <div className="profile-marks" aria-hidden="true">
          {days.map((one) => (
            <span
              key={one}
              className={one === today() ? 'profile-mark profile-mark-today' : 'profile-mark'}
              style={{ insetInlineStart: `${((numberOf(one) - from) / (to - from)) * 100}%` }}
            />
          ))}
        </div>
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('nextChange')}
        disabled={!after}
        onClick={() => after && go(after)}
      >
        <Icon name="right" />
      </ActionIcon>
      <TextInput
        type="date"
        aria-label={t('asOf')}
        value={shown}
        min={first}
        onChange={({ currentTarget: { value } }) => value && go(value)}
        className="profile-as-of-day"
      />
      <Button variant="subtle" onClick={() => go(today())} className="profile-as-of-now" data-hidden={!get('as_of')}>
        {t('asOfNow')}
      </Button>
    </Group>
  )
}
