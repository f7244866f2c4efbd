import { Alert, Badge, Button, Group, MultiSelect, Select, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import { CreateRole } from '../../client/fields/users.ts'
import { useMay } from '../../client/me.ts'
import type { Role, RoleGrant } from '../../client/operations.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { SidePanel } from '../../parts/dialog.tsx'
import { FieldFor, RecordSelect } from '../../parts/fields.tsx'
import { useBaseTag } from '../../parts/form.tsx'
import { useProblems } from '../../parts/problems.ts'
import { useRoleName } from '../../parts/roles.ts'
import { Empty, Loading, WhenFresh, WhenLoaded } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link, navigate, placeNowAt, useUnsaved } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useKindName } from '../../texts/kind-names.ts'
import { useFieldName } from '../../texts/names.ts'
import { useAddLabel } from './add-texts.ts'
import { capital, GROUPS_OF_FIELDS, PermissionsInput, usePermissionSentence } from './permissions.tsx'
import type { SectionProps } from './sections.ts'
import { settingsTexts } from './texts.ts'

/** Roles as sentences: who may do what, for which people. */
export function RolesSection({ title, home, openId }: SectionProps) {
  const t = useTexts(settingsTexts)
  const kindName = useKindName()
  const words = useTexts(common)
  const may = useMay()
  const read = useRead('GET /roles', { query: { per_page: 200 } })
  const { nameOf, textOf } = useRoleName()
  const addLabel = useAddLabel('roles')
  const close = () => navigate(home)
  return (
    <Stack gap="sm">
      <Group justify="space-between" mih={36}>
        <Text size="sm" c="dimmed" role="status">
          {read.answer ? words('entries', { count: read.answer.metadata.count }) : ''}
        </Text>
        {may('users:write') ? (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => navigate(`${home}/new`)}>
            {addLabel ?? words('add')}
          </Button>
        ) : null}
      </Group>
      <WhenLoaded of={read} loading={<Loading rows={7} height={72} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={t('roleEmpty')} icon="key" />
          ) : (
            <ul className="settings-list" aria-label={title}>
              {data.map((role) => (
                <li key={role.id}>
                  <Group gap="xs" mb={4}>
                    <Link to={`${home}/${role.id}`} className="person-name">
                      {nameOf(role)}
                    </Link>
                    {role.standard ? <Badge color="gray">{t('standard')}</Badge> : null}
                  </Group>
                  {role.description ? (
                    <Text size="sm" c="dimmed">
                      {textOf(role)}
                    </Text>
                  ) : null}
                  <Sentences of={role.grants} />
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {openId === 'new' ? (
        <SidePanel opened onClose={close} title={words('newIn', { kind: kindName('roles') })} size="lg">
          <RoleForm onDone={close} />
        </SidePanel>
      ) : openId ? (
        <RolePanel id={openId} onClose={close} title={title} />
      ) : null}
    </Stack>
  )
}

/** The grants of a role as sentences, with the names of departments and locations. */
export function Sentences({ of }: { of: readonly RoleGrant[] }) {
  const sentence = usePermissionSentence()
  const wants = (scope: string) => of.some((grant) => grant.scope === scope)
  const departments = useRead('GET /departments', { query: { per_page: 200 } }, { enabled: wants('department') })
  const locations = useRead('GET /locations', { query: { per_page: 200 } }, { enabled: wants('location') })
  const placeOf = ({ department_id, location_id }: RoleGrant) =>
    [...(departments.answer?.data ?? [])].find(({ id }) => id === department_id)?.name ??
    [...(locations.answer?.data ?? [])].find(({ id }) => id === location_id)?.name ??
    '…'
  return of.map((grant) => (
    <p key={grant.id} className="settings-sentence">
      {sentence.grant(grant, placeOf(grant))}
    </p>
  ))
}

function RolePanel({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  const may = useMay()
  const { nameOf } = useRoleName()
  const read = useRead('GET /roles/{id}', { params: { id } })
  return (
    <SidePanel opened onClose={onClose} title={read.answer ? nameOf(read.answer.data) : title} size="lg">
      <WhenFresh of={read}>
        {({ data }) =>
          may('users:write') ? (
            <RoleForm role={data} etag={read.etag} onDone={onClose} />
          ) : (
            <Sentences of={data.grants} />
          )
        }
      </WhenFresh>
    </SidePanel>
  )
}

type Draft = Omit<RoleGrant, 'id'> & { id?: number; key: number }
const SCOPES: Record<RoleGrant['scope'], true> = {
  self: true,
  reports: true,
  department: true,
  location: true,
  vacancies: true,
  everybody: true,
}

let drafts = 0
const newGrant = (): Draft => ({
  key: ++drafts,
  scope: 'everybody',
  permissions: [],
  sees: [],
  department_id: null,
  location_id: null,
})

function RoleForm({ role, etag, onDone }: { role?: Role; etag?: string | undefined; onDone: () => void }) {
  const t = useTexts(settingsTexts)
  const words = useTexts(common)
  const { nameOf, textOf } = useRoleName()
  // A built-in role is shown in the user's language. Its stored name stays unless the user changes it.
  const [shown] = useState({ name: role ? nameOf(role) : '', description: (role && textOf(role)) || null })
  const [name, setName] = useState<unknown>(shown.name)
  const [description, setDescription] = useState<unknown>(shown.description)
  const [grants, setGrants] = useState<Draft[]>(
    () => role?.grants.map((one) => ({ ...one, key: ++drafts })) ?? [newGrant()],
  )
  const [isTouched, setTouched] = useState(false)
  const ifMatch = useBaseTag(etag)
  const told = {
    done: words('saved', { name: String(name) }),
    onSuccess: onDone,
    touches: ['users', 'me'],
    isFinal: true,
  }
  const add = useWrite('POST /roles', told)
  const save = useWrite('PUT /roles/{id}', told)
  const remove = useWrite('DELETE /roles/{id}', {
    isFinal: true,
    done: words('deleted', { name: String(name) }),
    optimistic: () => {
      const { path: back } = placeNowAt()
      onDone()
      return () => navigate(back)
    },
  })
  const isBusy = add.isPending || save.isPending
  useUnsaved(isTouched, words('unsaved'), isBusy)
  const problems = useProblems(add.error ?? save.error, { name, description, grants })
  const change = (key: number, changes: Partial<Draft>) => {
    setTouched(true)
    setGrants((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one)))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const sent = grants.map(({ key: _, ...grant }) => grant)
    const body = {
      name: role && name === shown.name ? role.name : String(name),
      description: role && description === shown.description ? role.description : (description as string | null),
      grants: sent,
    }
    if (role) save.mutate({ params: { id: role.id }, body, ifMatch })
    else add.mutate({ body })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FieldFor
          name="name"
          field={CreateRole.name}
          value={name}
          onChange={(value) => {
            setTouched(true)
            setName(value)
          }}
          error={problems.name}
          autoFocus
        />
        <FieldFor
          name="description"
          field={CreateRole.description}
          value={description}
          onChange={(value) => {
            setTouched(true)
            setDescription(value)
          }}
          error={problems.description}
        />
        {Object.entries(problems)
          .filter(([field]) => field.startsWith('grants'))
          .map(([field, message]) => (
            <Alert key={field} color="red" role="alert">
              {message}
            </Alert>
          ))}
        {grants.map((grant) => (
          <GrantInput
            key={grant.key}
            grant={grant}
            onChange={(changes) => change(grant.key, changes)}
            onRemove={() => {
              setTouched(true)
              setGrants((all) => all.filter(({ key }) => key !== grant.key))
            }}
          />
        ))}
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setGrants((all) => [...all, newGrant()])}
        >
          {t('addGrant')}
        </Button>
        <Group justify="flex-end" gap="xs" mt="xs">
          {role && !role.standard ? (
            <div className="form-aside">
              <ConfirmButton
                label={words('delete')}
                title={words('deleteTitle', { name: nameOf(role) })}
                text={words('deleteText')}
                isBusy={remove.isPending}
                button={{ variant: 'subtle', color: 'red' }}
                onConfirm={() => remove.mutate({ params: { id: role.id } })}
              />
            </div>
          ) : null}
          <Button variant="default" onClick={onDone}>
            {words('cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {words('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function GrantInput({
  grant,
  onChange,
  onRemove,
}: {
  grant: Draft
  onChange: (changes: Partial<Draft>) => void
  onRemove: () => void
}) {
  const t = useTexts(settingsTexts)
  const fieldName = useFieldName()
  const sentence = usePermissionSentence()
  const say = t as (key: string) => string
  const { scope, permissions, sees, department_id, location_id } = grant
  return (
    <fieldset className="settings-grant">
      <legend>{t('whatAllowed')}</legend>
      <Stack gap="sm">
        <Select
          label={t('grantOf')}
          allowDeselect={false}
          data={Object.keys(SCOPES).map((value) => ({ value, label: capital(say(`scope_${value}`)) }))}
          value={scope}
          onChange={(value) =>
            onChange({ scope: (value ?? scope) as Draft['scope'], department_id: null, location_id: null })
          }
        />
        {scope === 'department' ? (
          <RecordSelect
            table="departments"
            label={fieldName('department')}
            required
            value={department_id}
            onChange={(id) => onChange({ department_id: id })}
          />
        ) : null}
        {scope === 'location' ? (
          <RecordSelect
            table="locations"
            label={fieldName('location')}
            required
            value={location_id}
            onChange={(id) => onChange({ location_id: id })}
          />
        ) : null}
        <PermissionsInput value={permissions} onChange={(value) => onChange({ permissions: value })} />
        <MultiSelect
          label={t('sees')}
          data={GROUPS_OF_FIELDS.map((value) => ({ value, label: capital(say(`group_${value}`)) }))}
          value={sees}
          onChange={(value) => onChange({ sees: value as Draft['sees'] })}
        />
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {sentence.grant(grant, '…')}
          </Text>
          <Button variant="subtle" color="red" size="xs" flex="none" onClick={onRemove}>
            {t('removeGrant')}
          </Button>
        </Group>
      </Stack>
    </fieldset>
  )
}
