import { Alert, Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../client/client.ts'
import { ownRequest, refresh, useRead } from '../../client/data.ts'
import { useMay } from '../../client/me.ts'
import { notifyDone, notifyFailed, notifyRefused } from '../../client/notices.ts'
import type { EmployeeRow, Task } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { nameOf } from '../../parts/person.tsx'
import { Failed, Loading, useFailureText } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link } from '../../shell/router.tsx'
import { dayBefore, today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { KINDS } from './handover.tsx'
import { useRefusals } from './leaving.tsx'
import { leavingTexts } from './leaving-texts.ts'
import { useProfile } from './shared.ts'
import { profileTexts } from './texts.ts'

const asOf = (day: string) => (day === today() ? {} : { as_of: day })

/** Cancels a termination. It first lists what was handed over for that day, because cancelling does not reverse it. */
export function CancelDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(leavingTexts)
  const words = useTexts(profileTexts)
  const { day: shown } = useFormats()
  const { employee } = useProfile()
  // Kept, because the profile has no termination any more once it is cancelled.
  const [day] = useState(employee.termination_effective_on ?? today())
  const handedOver = useHandedOver(day)
  const [chosen, setChosen] = useState({ moves: false, tasks: false })
  const { save, isBusy } = useCancel(day, onClose)
  const { isPending, moves, tasks } = handedOver
  return (
    <Dialog opened onClose={onClose} isBusy={isBusy} title={words('activate')}>
      <Stack>
        <Text>{t('cancelText', { name: employee.full_name, day: shown(day) })}</Text>
        {handedOver.error ? (
          <Failed error={handedOver.error} onRetry={handedOver.refetch} />
        ) : isPending ? (
          <Loading rows={2} />
        ) : (
          <HandedOverItems {...{ day, moves, tasks, chosen, setChosen }} />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={isBusy} onClick={onClose}>
            {t('keepTermination')}
          </Button>
          <Button
            color="red.9"
            loading={isBusy}
            disabled={isPending}
            onClick={() => void save(chosen.moves ? moves : [], chosen.tasks ? tasks : [])}
          >
            {t('cancelTermination')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Reports who change manager on the day of the termination, and its tasks, as far as the user may see them. */
function useHandedOver(day: string) {
  const may = useMay()
  const { id, employee } = useProfile()
  const reports = useRead('GET /employees', {
    query: { manager_id: id, status: 'active', per_page: 200, ...asOf(dayBefore(day)) },
  })
  const ids = (reports.answer?.data ?? []).map((one) => one.id).filter((one) => one !== id)
  const then = useRead(
    'GET /employees',
    { query: { 'ids[]': ids, status: 'all', per_page: 200, ...asOf(day) } },
    { enabled: ids.length > 0 },
  )
  const open = useRead(
    'GET /tasks',
    { query: { completed: false, sort: '-starts_on', per_page: 200 } },
    { enabled: may('tasks:read') },
  )
  const reads = [reports, ...(ids.length > 0 ? [then] : []), ...(may('tasks:read') ? [open] : [])]
  const isAbout = ({ associated_to: about, title }: Task) =>
    about ? about.type === 'Employee' && about.id === id : title.includes(employee.full_name)
  return {
    isPending: reads.some((one) => !one.answer && !one.error),
    error: reads.find((one) => one.error)?.error,
    refetch: () => reads.forEach((one) => void one.refetch()),
    moves: ids.length > 0 ? (then.answer?.data ?? []).filter((one) => one.reporting_to?.id !== id) : [],
    tasks: (open.answer?.data ?? []).filter((one) => one.type === 'offboarding' && isAbout(one)),
  }
}

type CancelChoices = { moves: boolean; tasks: boolean }

function HandedOverItems(props: {
  day: string
  moves: readonly EmployeeRow[]
  tasks: readonly Task[]
  chosen: CancelChoices
  setChosen: (chosen: CancelChoices) => void
}) {
  const { day, moves, tasks, chosen, setChosen } = props
  const t = useTexts(leavingTexts)
  const may = useMay()
  const { day: shown } = useFormats()
  const { employee } = useProfile()
  const isAhead = day > today()
  const title = t(isAhead ? 'staysAhead' : 'stays')
  if (isAhead && moves.length === 0 && tasks.length === 0) return null
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} title={title} role="group" aria-label={title}>
      <Stack gap="sm">
        {moves.length > 0 ? (
          <div>
            <Text fw={600} size="sm">
              {t(isAhead ? 'movesAhead' : 'moves', { count: moves.length, day: shown(day) })}
            </Text>
            <ul className="profile-follows">
              {moves.map((one) => (
                <li key={one.id}>
                  <Anchor
                    size="sm"
                    c="inherit"
                    td="underline"
                    renderRoot={(own) => <Link {...own} to={`/people/${one.id}?tab=job`} />}
                  >
                    {one.reporting_to
                      ? t('movesTo', { name: nameOf(one), manager: nameOf(one.reporting_to) })
                      : t('movesToNobody', { name: nameOf(one) })}
                  </Anchor>
                </li>
              ))}
            </ul>
            {isAhead ? (
              <Checkbox
                mt="xs"
                label={t('keepReports', { name: employee.full_name })}
                checked={chosen.moves}
                onChange={(event) => setChosen({ ...chosen, moves: event.currentTarget.checked })}
              />
            ) : null}
          </div>
        ) : null}
        {tasks.length > 0 ? (
          <div>
            <Text fw={600} size="sm">
              {t('tasks', { count: tasks.length })}
            </Text>
            <ul className="profile-follows">
              {tasks.map((one) => (
                <li key={one.id}>
                  <Text size="sm">{t('taskOf', { title: one.title, name: nameOf(one.assigned_to) })}</Text>
                </li>
              ))}
            </ul>
            {may('tasks:write') ? (
              <Checkbox
                mt="xs"
                label={t('deleteTasks')}
                checked={chosen.tasks}
                onChange={(event) => setChosen({ ...chosen, tasks: event.currentTarget.checked })}
              />
            ) : null}
          </div>
        ) : null}
        {isAhead ? null : <Text size="sm">{t('alreadyDone')}</Text>}
      </Stack>
    </Alert>
  )
}

/** Nobody can report to a person who has left, so the termination is cancelled first. One undo reverses both. */
function useCancel(day: string, onClose: () => void) {
  const t = useTexts(leavingTexts)
  const words = useTexts(profileTexts)
  const { id } = useProfile()
  const failure = useFailureText()
  const refusals = useRefusals()
  const [isBusy, setBusy] = useState(false)

  const save = async (moves: readonly EmployeeRow[], tasks: readonly Task[]) => {
    setBusy(true)
    const requestIds: string[] = []
    const failed: string[] = []
    const requestId = () => ownRequest(KINDS)
    const further = [
      ...(moves.length > 0
        ? [
            async () => {
              const body = { data: moves.map((one) => ({ id: one.id, reporting_to_id: id })), effective_from: day }
              const answered = await call('PATCH /employees/bulk', { body, requestId: requestId() })
              failed.push(...refusals(answered.body.errors.data, moves))
              return answered
            },
          ]
        : []),
      ...tasks.map((one) => () => call('DELETE /tasks/{id}', { params: { id: one.id }, requestId: requestId() })),
    ]
    try {
      requestIds.push(
        (await call('POST /employees/{id}/activate', { params: { id }, requestId: requestId() })).requestId,
      )
      for (const step of further)
        await step().then(
          (answered) => requestIds.push(answered.requestId),
          (error) => failed.push(failure(error)),
        )
      notifyDone(words('activated'), { requestId: requestIds, kinds: KINDS })
      if (failed.length > 0) notifyRefused(t('notTakenBack'), [...new Set(failed)])
      onClose()
    } catch (error) {
      notifyFailed(error)
    } finally {
      setBusy(false)
      refresh(KINDS)
    }
  }
  return { save, isBusy }
}
