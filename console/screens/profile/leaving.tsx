import { Text } from '@mantine/core'
import { useState } from 'react'
import { call, preview } from '../../client/client.ts'
import { TerminateEmployee } from '../../client/fields/employees.ts'
import type { BulkError } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { nameOf } from '../../parts/person.tsx'
import { useProblemText } from '../../parts/problems.ts'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { peopleTexts } from '../people/texts.ts'
import { type Choices, Handover, type Held, isChosen, NO_CHOICES, useHandOver, useHeld } from './handover.tsx'
import { leavingTexts } from './leaving-texts.ts'
import { announceable, seenOf, useProfile, withoutHidden } from './shared.ts'
import { profileTexts } from './texts.ts'

const OF = [
  'effective_from',
  'announced_on',
  'termination_type_id',
  'termination_reason_id',
  'eligible_for_rehire',
  'comment',
] as const

/** A termination is known from its day, or from its announcement. */
const isKnown = ({ effective_from, announced_on }: TerminationValues) =>
  String(effective_from ?? '') <= today() || Boolean(announced_on && String(announced_on) <= today())

/** Terminates an employment. It shows what that affects, and who takes over. */
export function EndDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(leavingTexts)
  const words = useTexts(profileTexts)
  const fieldName = useFieldName()
  const { employee, sees } = useProfile()
  const [from, setFrom] = useState(today())
  const held = useHeld(from)
  const [choices, setChoices] = useState(NO_CHOICES)
  const { save, error, isBusy } = useSave(onClose)
  const name = employee.full_name
  const fields = seenOf(TerminateEmployee, OF, sees)
  return (
    <Dialog opened onClose={onClose} isBusy={isBusy} title={words('endEmployment')} size="lg">
      <Form
        fields={TerminateEmployee}
        of={announceable(fields)}
        labels={{ effective_from: fieldName('termination_effective_on'), announced_on: words('announceOn', { name }) }}
        descriptions={{ announced_on: words('announceText', { name }) }}
        start={{ effective_from: today() }}
        isTouched={isChosen(choices)}
        error={error}
        isBusy={isBusy}
        isWaiting={held.isPending}
        submitLabel={t('terminate')}
        onCancel={onClose}
        onSubmit={(values) => void save(withoutHidden(fields, values, values), held, choices)}
      >
        {(values) => (
          <>
            <LoadForDay day={String(values.effective_from ?? '')} onDay={setFrom} />
            {isKnown(values) ? null : <NoReminder />}
            <Handover day={from} of={held} isKnown={isKnown(values)} choices={choices} onChoices={setChoices} />
          </>
        )}
      </Form>
    </Dialog>
  )
}

/** Loads the data of another day once the date is complete. */
function LoadForDay({ day, onDay }: { day: string; onDay: (day: string) => void }) {
  const [known, setKnown] = useState(day)
  if (day !== known) {
    setKnown(day)
    if (/^\d{4}-\d\d-\d\d$/.test(day) && day > '1900') queueMicrotask(() => onDay(day))
  }
  return null
}

/** Others can see tasks, perhaps also the employee. So there is no task until the termination is known. */
function NoReminder() {
  const t = useTexts(leavingTexts)
  const people = useTexts(peopleTexts)
  const { sees } = useProfile()
  return (
    <Text size="sm" role="status">
      {t('noReminder')}
      {sees('planned') ? ` ${t('whereFound', { people: people('title'), filter: people('leavingSoon') })}` : ''}
    </Text>
  )
}

/** The errors of a bulk change, by person. */
export function useRefusals() {
  const fieldName = useFieldName()
  const say = useProblemText()
  return (errors: readonly BulkError[], people: readonly Parameters<typeof nameOf>[0][]) =>
    errors.map(({ index, errors: all }) => {
      const why = all.map((one) => `${fieldName(one.field)}: ${say(one)}`).join(' ')
      return `${nameOf(people[index] ?? {})}: ${why}`
    })
}

type TerminationValues = Readonly<Record<string, unknown>>

/** Terminates and hands over. Dry runs come first, so that nothing is done if one of them would fail. */
function useSave(onClose: () => void) {
  const t = useTexts(leavingTexts)
  const { day: shown } = useFormats()
  const { id, employee } = useProfile()
  const { run, requestId } = useHandOver()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()

  const save = async (values: TerminationValues, of: Held, choices: Choices) => {
    const day = String(values.effective_from)
    const ending = { params: { id }, body: values as never }
    setBusy(true)
    setError(undefined)
    try {
      const first = {
        try: () => preview('POST /employees/{id}/terminate', ending),
        step: () => call('POST /employees/{id}/terminate', { ...ending, requestId: requestId() }),
      }
      const plan = { day, of, isKnown: isKnown(values), choices }
      if (await run(plan, first, t('ended', { name: employee.full_name, day: shown(day) }))) onClose()
    } catch (one) {
      setError(one)
    } finally {
      setBusy(false)
    }
  }
  return { save, error, isBusy }
}
