import { Alert, Badge, Button, Group, Paper, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { type FieldProblem, preview } from '../../client/client.ts'
import { useWrite } from '../../client/data.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useProblemText } from '../../parts/problems.ts'
import { useFailureText } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import type { CurrentPlan } from './plan.ts'
import { orgTexts } from './texts.ts'
import { isWithin, type Moves, type Person, type Tree } from './tree.ts'

/** The bar above the chart while the user plans: the day, the number of changes, and the buttons. */
export function PlanBar(props: {
  plan: CurrentPlan
  moves: Moves
  onDay: (day: string) => void
  onReview: () => void
  onClose: () => void
}) {
  const { plan, moves, onDay, onReview, onClose } = props
  const t = useTexts(orgTexts)
  return (
    <Paper withBorder p="sm" className="org-plan" component="section" aria-label={t('planTitle')}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <TextInput
            type="date"
            size="sm"
            label={t('planDay')}
            value={plan.day}
            onChange={(event) => event.currentTarget.value && onDay(event.currentTarget.value)}
            className="org-plan-day"
          />
          <Text size="sm" role="status">
            {moves.size === 0 ? t('planEmpty') : t('planned', { count: moves.size })}
          </Text>
        </Group>
        <Group gap="xs">
          <Button
            variant="subtle"
            leftSection={<Icon name="undo" />}
            disabled={plan.moves.length === 0}
            onClick={() => plan.takeBack()}
          >
            {t('takeBack')}
          </Button>
          <Button variant="subtle" color="red" disabled={plan.moves.length === 0} onClick={() => plan.drop()}>
            {t('discard')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('closePlan')}
          </Button>
          <Button disabled={moves.size === 0} onClick={onReview}>
            {t('review')}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}

type RefusalsByPerson = ReadonlyMap<number, string>
type BulkAnswer = { errors: { data: { id?: unknown; errors: FieldProblem[] }[] } }
const refusedIn = ({ errors }: BulkAnswer, say: (problem: FieldProblem) => string): RefusalsByPerson =>
  new Map(errors.data.map((one) => [Number(one.id), one.errors.map(say).join(' ')]))

/** Previews the changes with a dry run. */
export function Review(props: { given: Tree; planned: Tree; plan: CurrentPlan; moves: Moves; onClose: () => void }) {
  const { given, planned, plan, moves, onClose } = props
  const t = useTexts(orgTexts)
  const words = useTexts(common)
  const { day } = useFormats()
  const failure = useFailureText()
  const say = useProblemText()
  const [dryRun, setDryRun] = useState<{ told?: BulkAnswer; error?: unknown }>({})
  const refused = dryRun.told && refusedIn(dryRun.told, say)
  // Top-down, so that nobody reports to themselves at any step.
  const body = useMemo(() => {
    const data = planned.people.flatMap(({ id }) => (moves.has(id) ? [{ id, reporting_to_id: moves.get(id) }] : []))
    return { effective_from: plan.day, data }
  }, [planned, moves, plan.day])
  useEffect(() => {
    let isOver = false
    setDryRun({})
    preview('PATCH /employees/bulk', { body }).then(
      (told) => isOver || setDryRun({ told }),
      (error: unknown) => isOver || setDryRun({ error }),
    )
    return () => {
      isOver = true
    }
  }, [body])
  const apply = useWrite('PATCH /employees/bulk', {
    done: ({ records }) => t('applied', { count: records.count, day: day(plan.day) }),
    touches: ['org_chart', 'directory', 'employee_positions'],
    onSuccess: (told) => {
      const refused = refusedIn(told, say)
      plan.drop(body.data.map(({ id }) => id).filter((id) => !refused.has(id)))
      if (refused.size === 0) onClose()
    },
  })
  const nameOf = (id: number | null | undefined) =>
    id === null || id === undefined ? t('nobody') : (given.people[given.placeOf.get(id) ?? -1]?.name ?? `${id}`)
  const good = refused ? body.data.length - refused.size : 0
  return (
    <Dialog opened onClose={onClose} title={t('reviewTitle', { day: day(plan.day) })} size="xl">
      <Stack>
        <Text size="sm" c="dimmed">
          {t('reviewText')}
        </Text>
        {dryRun.error ? (
          <Alert color="red" role="alert">
            {failure(dryRun.error)}
          </Alert>
        ) : null}
        <Table.ScrollContainer minWidth={420}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('who')}</Table.Th>
                <Table.Th>{t('fromManager')}</Table.Th>
                <Table.Th>{t('toManager')}</Table.Th>
                <Table.Th>{t('outcome')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {body.data.map(({ id, reporting_to_id }) => (
                <Table.Tr key={id}>
                  <Table.Td>{nameOf(id)}</Table.Td>
                  <Table.Td>{nameOf(given.people[given.placeOf.get(id) ?? -1]?.manager_id)}</Table.Td>
                  <Table.Td>{nameOf(reporting_to_id)}</Table.Td>
                  <Table.Td>
                    {!refused ? (
                      words('loading')
                    ) : refused.has(id) ? (
                      <Text size="sm" c="var(--mantine-color-error)">
                        {refused.get(id)}
                      </Text>
                    ) : (
                      <Badge>{t('possible')}</Badge>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {words('cancel')}
          </Button>
          <Button disabled={good === 0} loading={apply.isPending} onClick={() => apply.mutate({ body })}>
            {t('applyFrom', { count: good, day: day(plan.day) })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Chooses a new manager without dragging. */
export function ReportTo(props: {
  tree: Tree
  person: Person
  onChoose: (to: number | null) => void
  onClose: () => void
}) {
  const { tree, person, onChoose, onClose } = props
  const t = useTexts(orgTexts)
  const words = useTexts(common)
  const [to, setTo] = useState<string | null>(null)
  const own = tree.placeOf.get(person.id) as number
  const nobody = t('nobody')
  const data = useMemo(
    () => [
      ...(person.manager_id === null ? [] : [{ value: 'nobody', label: nobody }]),
      ...tree.people.flatMap(({ id, name, position }, place) =>
        isWithin(tree, place, own) || id === person.manager_id
          ? []
          : [{ value: String(id), label: position ? `${name}, ${position}` : name }],
      ),
    ],
    [tree, person, own, nobody],
  )
  return (
    <Dialog opened onClose={onClose} title={t('reportToTitle', { name: person.name })}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (to) onChoose(to === 'nobody' ? null : Number(to))
        }}
      >
        <Stack>
          <Select
            data-autofocus
            label={t('manager')}
            placeholder={words('pickPerson')}
            data={data}
            value={to}
            onChange={setTo}
            searchable
            limit={30}
            nothingFoundMessage={words('nothingFound')}
            comboboxProps={{ withinPortal: true }}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {words('cancel')}
            </Button>
            <Button type="submit" disabled={!to}>
              {t('planMove')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
