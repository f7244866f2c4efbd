import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../client/client.ts'
import { refresh, useRead, useWrite } from '../../client/data.ts'
import { CreateEmployee } from '../../client/fields/employees.ts'
import { InviteUser } from '../../client/fields/users.ts'
import { useMayForAll } from '../../client/me.ts'
import { notifyDone, notifyFailed } from '../../client/notices.ts'
import type { Employee, NewSignInLink } from '../../client/operations.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FieldFor } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { nameOf } from '../../parts/person.tsx'
import { Forbidden } from '../../parts/states.tsx'
import { navigate } from '../../shell/router.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { newPersonTexts } from './texts.ts'

/** The fields that a first day needs: the person and the job. */
const ENTERED = [
  'first_name',
  'last_name',
  'email',
  'hired_on',
  'position_id',
  'department_id',
  'location_id',
  'reporting_to_id',
  'employment_type_id',
] as const

type InvitedEmployee = { person: Employee; link: NewSignInLink }

export default function NewPersonPage() {
  const t = useTexts(newPersonTexts)
  const may = useMayForAll()
  const [round, setRound] = useState(0)
  return (
    <Page title={t('title')}>
      {may('employees:write') ? <NewPerson key={round} onAnother={() => setRound(round + 1)} /> : <Forbidden />}
    </Page>
  )
}

function NewPerson({ onAnother }: { onAnother: () => void }) {
  const t = useTexts(newPersonTexts)
  const mayInvite = useMayForAll()('users:write')
  const roles = useRead('GET /roles', { query: { per_page: 200 } }, { enabled: mayInvite })
  const [isInviting, setInviting] = useState(false)
  // Most new employees get the employee role.
  const usual = roles.answer?.data.filter(({ standard }) => standard === 'employee').map(({ id }) => id) ?? []
  const [chosen, setChosen] = useState<number[]>()
  const [invited, setInvited] = useState<InvitedEmployee>()
  const open = ({ id }: Employee) => navigate(`/people/${id}`, { replace: true })

  /** The employee exists even if the invitation fails. In that case the failure is shown and the profile opens. */
  const invite = async (person: Employee) => {
    try {
      const body = { employee_id: person.id, role_ids: chosen ?? usual }
      const { link } = (await call('POST /users/invite', { body })).body.data
      refresh(['users'])
      setInvited({ person, link })
    } catch (error) {
      notifyDone(t('added', { name: nameOf(person) }))
      notifyFailed(error)
      open(person)
    }
  }
  const isToInvite = ({ email }: Employee) => isInviting && Boolean(email)
  const add = useWrite('POST /employees', {
    done: ({ data }) => (isToInvite(data) ? '' : t('added', { name: nameOf(data) })),
    touches: ['directory'],
    onSuccess: ({ data }) => (isToInvite(data) ? void invite(data) : open(data)),
  })
  return (
    <section className="section new-person" aria-label={t('title')}>
      <Text c="dimmed" mb="md">
        {t('text')}
      </Text>
      <Form
        fields={CreateEmployee}
        of={ENTERED}
        start={{ hired_on: today() }}
        labels={{ hired_on: t('firstDay') }}
        onSubmit={(values) => add.mutate({ body: values as never })}
        error={add.error}
        isBusy={add.isPending || add.isSuccess}
        submitLabel={t('title')}
        isWide
        onCancel={() => navigate('/people')}
      >
        {({ email }) =>
          mayInvite ? (
            <Stack gap="xs">
              <Checkbox
                label={t('invite')}
                description={t(email ? 'inviteText' : 'inviteNeedsEmail')}
                checked={isInviting && Boolean(email)}
                disabled={!email}
                onChange={(event) => setInviting(event.currentTarget.checked)}
              />
              {isInviting && email ? (
                <FieldFor
                  name="role_ids"
                  field={InviteUser.role_ids}
                  value={chosen ?? usual}
                  onChange={(ids) => setChosen(ids as number[])}
                />
              ) : null}
            </Stack>
          ) : null
        }
      </Form>
      {invited ? <Link {...invited} onOpen={() => open(invited.person)} onAnother={onAnother} /> : null}
    </section>
  )
}

/** The link is shown only here. */
function Link({ person, link, onOpen, onAnother }: InvitedEmployee & { onOpen: () => void; onAnother: () => void }) {
  const t = useTexts(newPersonTexts)
  const { moment } = useFormats()
  return (
    <Dialog
      opened
      onClose={onOpen}
      title={t('linkTitle', { name: nameOf(person) })}
      size="lg"
      closeOnClickOutside={false}
    >
      <Stack>
        <Text>{t('linkText', { moment: moment(link.expires_at) })}</Text>
        <CopyField label={t('link')} value={link.url} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onAnother}>
            {t('another')}
          </Button>
          <Button onClick={onOpen}>{t('toProfile')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
