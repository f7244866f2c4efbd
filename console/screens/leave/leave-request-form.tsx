import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core'
import { CreateLeaveRequest as FIELDS } from '../../client/fields/leave.ts'
import type { EmployeeLeaveType, LeaveRequest } from '../../client/operations.ts'
import { FieldFor } from '../../parts/fields.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { type LeaveFormProps, useLeaveForm } from './leave-form.ts'
import { Outcome } from './outcome.tsx'
import { leaveTexts } from './texts.ts'

/**
 * The form to request leave. While the user fills it in, a dry run shows the amount and errors, the balance that is
 * left and who else is away. With `request` it changes a pending request.
 */
export function LeaveForm(props: LeaveFormProps) {
  const { employeeId, balances, mayDecide = false, mayOverride = false, request, before } = props
  const t = useTexts(leaveTexts)
  const fieldName = useFieldName()
  const form = useLeaveForm(props)
  const { values, set, isWhole, isSettled, dryRun, problems, isSaving, submit } = form
  const { starts_on, ends_on, leave_type_id, single } = values
  const elsewhere = Object.entries(problems).filter(([name]) => !SHOWN.includes(name))

  return (
    <form onSubmit={submit} aria-label={t(request ? 'change' : 'ask')}>
      <div className="leave-ask">
        <Stack gap="sm">
          {before}
          {elsewhere.length > 0 ? (
            <Alert color="red" role="alert">
              {elsewhere.map(([name, message]) => (
                <div key={name}>{`${fieldName(name)} ${message}`}</div>
              ))}
            </Alert>
          ) : null}
          <LeaveFields
            form={form}
            balances={balances}
            request={request}
            hasSkip={mayDecide && !request}
            hasOverride={mayOverride}
          />
        </Stack>
        <div className="leave-outcome" aria-live="polite">
          {isWhole && leave_type_id !== null ? (
            <Outcome
              employeeId={employeeId}
              typeId={leave_type_id}
              starts_on={starts_on}
              ends_on={ends_on}
              isSettled={isSettled}
              given={request?.amount ?? 0}
              dryRun={dryRun}
              single={single}
              onSingle={(next) => set({ single: next })}
              problem={problems.leave_request_entries}
            />
          ) : (
            <Text c="dimmed" size="sm">
              {t('fillIn')}
            </Text>
          )}
        </div>
      </div>
      <Group justify="flex-end" mt="md">
        <Button type="submit" loading={isSaving}>
          {t(request ? 'change' : 'send')}
        </Button>
      </Group>
    </form>
  )
}

const SHOWN: readonly string[] = [
  'leave_type_id',
  'starts_on',
  'ends_on',
  'comment',
  'attachments',
  'on_demand',
  'leave_request_entries',
  'override_reason',
]

function LeaveFields(props: {
  form: ReturnType<typeof useLeaveForm>
  balances: readonly EmployeeLeaveType[]
  request: LeaveRequest | undefined
  /** May the user approve it immediately? */
  hasSkip: boolean
  /** May the user allow it although a condition is not met? */
  hasOverride: boolean
}) {
  const { form, balances, request, hasSkip, hasOverride } = props
  const fieldName = useFieldName()
  const { values, set, setDays, problems } = form
  const { starts_on, ends_on, leave_type_id, on_demand } = values
  const held = balances.find((one) => one.leave_type.id === leave_type_id)
  return (
    <>
      <Select
        data-leave-ask
        label={fieldName('leave_type')}
        required
        disabled={Boolean(request)}
        data={balances.map(({ leave_type: { id, name } }) => ({ value: String(id), label: name }))}
        value={leave_type_id === null ? null : String(leave_type_id)}
        onChange={(id) => set({ leave_type_id: id ? Number(id) : null, single: {}, on_demand: false })}
        error={problems.leave_type_id}
        allowDeselect={false}
      />
      <Group grow align="start" gap="sm">
        <FieldFor
          name="starts_on"
          field={FIELDS.starts_on}
          value={starts_on}
          onChange={(day) => setDays((day as string) ?? '', ends_on)}
          error={problems.starts_on}
        />
        <FieldFor
          name="ends_on"
          field={FIELDS.ends_on}
          value={ends_on}
          onChange={(day) => set({ ends_on: (day as string) ?? '' })}
          error={problems.ends_on}
        />
      </Group>
      <FieldFor
        name="comment"
        field={FIELDS.comment}
        value={values.comment}
        onChange={(comment) => set({ comment: comment as string | null })}
        error={problems.comment}
      />
      {request ? null : (
        <FieldFor
          name="attachments"
          field={{ ...FIELDS.attachments.items }}
          value={values.attachments}
          onChange={(file) => set({ attachments: file as File | null })}
          error={problems.attachments}
        />
      )}
      {(held?.on_demand_balance ?? 0) > 0 || on_demand ? (
        <FieldFor
          name="on_demand"
          field={FIELDS.on_demand}
          value={on_demand}
          onChange={(is) => set({ on_demand: Boolean(is) })}
          error={problems.on_demand}
        />
      ) : null}
      {hasOverride ? (
        <FieldFor
          name="override_reason"
          field={FIELDS.override_reason}
          value={values.override_reason}
          onChange={(reason) => set({ override_reason: reason as string | null })}
          error={problems.override_reason}
        />
      ) : null}
      {hasSkip ? (
        <FieldFor
          name="skip_approval"
          field={FIELDS.skip_approval}
          value={values.skip_approval}
          onChange={(is) => set({ skip_approval: Boolean(is) })}
        />
      ) : null}
    </>
  )
}
