import { Alert, Button, Group, NumberInput, Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type BodyOf, preview } from '../../client/client.ts'
import { isAtFields, useRead } from '../../client/data.ts'
import type { LeaveRequest } from '../../client/operations.ts'
import { Figure } from '../../parts/figure.tsx'
import { useFailureText } from '../../parts/states.tsx'
import { useFormats, useNumbers } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { Clashes } from './clashes.tsx'
import { leaveTexts } from './texts.ts'
import { useLeaveWords } from './words.ts'

type LeaveDryRun = ReturnType<typeof useDryRun>

/** A dry run of the request. Nothing is stored. */
export function useDryRun(body: BodyOf<'POST /leave_requests'>, isWhole: boolean, request: LeaveRequest | undefined) {
  const [asked] = useDebouncedValue(JSON.stringify(body), 250)
  const { data, error, isFetching } = useQuery({
    queryKey: ['leave dry run', request?.id ?? null, asked],
    queryFn: () => {
      const sent = JSON.parse(asked) as BodyOf<'POST /leave_requests'>
      return request
        ? preview('PUT /leave_requests/{id}', { params: { id: request.id }, body: sent })
        : preview('POST /leave_requests', { body: sent })
    },
    enabled: isWhole && asked === JSON.stringify(body),
    retry: false,
    // The result depends on data that every request changes, so it is never taken from the cache.
    gcTime: 0,
    refetchOnWindowFocus: false,
    placeholderData: (before) => before,
  })
  return { answer: data, error, isFetching }
}

/** The amount of the leave, the balance after it, and who else is away. */
export function Outcome(props: {
  employeeId: number
  typeId: number
  starts_on: string
  ends_on: string
  isSettled: boolean
  /** The amount of the existing request. */
  given: number
  dryRun: LeaveDryRun
  single: Record<string, number>
  onSingle: (single: Record<string, number>) => void
  problem: string | undefined
}) {
  const { employeeId, typeId, starts_on, ends_on, isSettled, given, dryRun, single, onSingle, problem } = props
  const t = useTexts(leaveTexts)
  const { day } = useFormats()
  const words = useLeaveWords()
  const failure = useFailureText()
  const balances = useRead(
    'GET /employees/{employee_id}/leave_balances',
    { params: { employee_id: employeeId }, query: { as_of: ends_on } },
    { enabled: isSettled && ends_on >= starts_on, keepPrevious: true },
  )
  const then = balances.answer?.data.find(({ leave_type }) => leave_type.id === typeId)
  const planned = dryRun.error ? undefined : dryRun.answer?.data
  const isAtField = isAtFields(dryRun.error)
  return (
    <Stack gap="sm">
      {dryRun.error ? (
        isAtField ? null : (
          <Alert color="red">{failure(dryRun.error)}</Alert>
        )
      ) : (
        <Group gap="xl" align="start">
          <Figure name={t('takes')}>
            {planned ? words.amount(planned.amount, planned.tracking_time_in) : <Skeleton width={80} height={26} />}
          </Figure>
          <Figure name={t('after')} beneath={then && planned ? t('afterOn', { day: day(ends_on) }) : ''}>
            {then && planned ? (
              words.amount(rounded(then.balance + given - planned.amount), then.leave_type.unit)
            ) : (
              <Skeleton width={80} height={26} />
            )}
          </Figure>
        </Group>
      )}
      {planned || problem ? (
        <SingleDays planned={planned} single={single} onSingle={onSingle} problem={problem} />
      ) : null}
      <Clashes employeeId={employeeId} starts_on={starts_on} ends_on={ends_on} isSettled={isSettled} />
    </Stack>
  )
}

const rounded = (amount: number) => Math.round(amount * 10_000) / 10_000

/** Days can be taken in part. The first count gives the full amount of each day. */
function SingleDays({
  planned,
  single,
  onSingle,
  problem,
}: {
  planned: LeaveRequest | undefined
  single: Record<string, number>
  onSingle: (single: Record<string, number>) => void
  problem: string | undefined
}) {
  const t = useTexts(leaveTexts)
  const { day } = useFormats()
  const { decimal } = useNumbers()
  const [isOpen, setOpen] = useState(false)
  const whole = useRef<Map<string, number>>(new Map())
  useEffect(() => {
    for (const { date, amount } of planned?.entries ?? []) if (!(date in single)) whole.current.set(date, amount)
  }, [planned, single])
  const days = [...new Set([...(planned?.entries ?? []).map(({ date }) => date), ...Object.keys(single)])].sort()
  if (days.length > 31) return null
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
        className="leave-quiet"
      >
        {t('singleDays')}
      </Button>
      {isOpen ? (
        <div className="leave-days">
          {days.map((date) => {
            const most = whole.current.get(date)
            return (
              <NumberInput
                key={date}
                size="xs"
                label={day(date, { weekday: 'short', day: 'numeric', month: 'short' })}
                aria-label={t('amountOf', { day: day(date) })}
                value={single[date] ?? planned?.entries.find((one) => one.date === date)?.amount ?? ''}
                onChange={(amount) => onSingle({ ...single, [date]: Number(amount) })}
                min={0}
                {...(most === undefined ? {} : { max: most })}
                step={0.5}
                decimalScale={2}
                decimalSeparator={decimal}
                allowedDecimalSeparators={['.', ',']}
              />
            )
          })}
        </div>
      ) : null}
      {problem ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      ) : null}
    </div>
  )
}
