import { Badge, Button, Group, MultiSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import { CreateApiKey, UpdateApiKey } from '../../client/fields/keys.ts'
import { useMay } from '../../client/me.ts'
import type { ApiKey } from '../../client/operations.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog, SidePanel } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { startOf } from '../../parts/records/values.tsx'
import { useRoleName } from '../../parts/roles.ts'
import { Empty, Loading, WhenFresh, WhenLoaded } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link, navigate } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { capital, GROUPS_OF_FIELDS, PermissionsInput, usePermissionSentence } from './permissions.tsx'
import type { SectionProps } from './sections.ts'
import { settingsTexts } from './texts.ts'

type CreatedKey = { name: string; key: string }
const ENTERED = ['name', 'employee_id', 'role_ids', 'expires_at'] as const

/** API keys: their permissions as a sentence, and when each was last used. */
export function KeysSection({ title, home, openId }: SectionProps) {
  const { nameOf: roleName } = useRoleName()
  const t = useTexts(settingsTexts)
  const words = useTexts(common)
  const may = useMay()
  const sentence = usePermissionSentence()
  const { ago } = useFormats()
  const read = useRead('GET /api_keys', { query: { per_page: 200, sort: '-id' } })
  const [made, setMade] = useState<CreatedKey>()
  const close = () => navigate(home)
  return (
    <Stack gap="sm">
      <Group justify="space-between" mih={36}>
        <Text size="sm" c="dimmed" role="status">
          {read.answer ? words('entries', { count: read.answer.metadata.count }) : ''}
        </Text>
        {may('keys:write') ? (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => navigate(`${home}/new`)}>
            {t('newKey')}
          </Button>
        ) : null}
      </Group>
      <WhenLoaded of={read} loading={<Loading rows={5} height={72} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="key" title={t('keyEmpty')} />
          ) : (
            <ul className="settings-list" aria-label={title}>
              {data.map((key) => (
                <li key={key.id}>
                  <Group gap="xs" mb={4}>
                    <Link to={`${home}/${key.id}`} className="person-name">
                      {key.name}
                    </Link>
                    <Text size="sm" c="dimmed" ff="monospace">
                      {key.hint}
                    </Text>
                    <State of={key} />
                  </Group>
                  <p className="settings-sentence">
                    {capital(sentence.allowed(key.permissions))}
                    {key.withheld.length > 0 ? `. ${t('withheld')}: ${sentence.groups(key.withheld)}` : ''}
                    {key.roles.length > 0 ? ` · ${key.roles.map(roleName).join(', ')}` : ''}
                  </p>
                  <Text size="xs" c="dimmed">
                    {key.last_used_at ? t('lastUsed', { when: ago(key.last_used_at) }) : t('neverUsed')}
                    {key.parent_id ? ` · ${t('madeBy', { id: String(key.parent_id) })}` : ''}
                  </Text>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {openId === 'new' ? (
        <SidePanel opened onClose={close} title={t('newKey')} size="lg">
          <NewKey
            onClose={close}
            onMade={(one) => {
              close()
              setMade(one)
            }}
          />
        </SidePanel>
      ) : openId ? (
        <KeyPanel key={openId} id={openId} title={title} onClose={close} />
      ) : null}
      {made ? (
        <Dialog
          opened
          onClose={() => setMade(undefined)}
          title={t('keyTitle', { name: made.name })}
          size="lg"
          closeOnClickOutside={false}
        >
          <Stack>
            <Text>{t('keyText')}</Text>
            <CopyField label={t('key')} value={made.key} />
            <Group justify="flex-end">
              <Button onClick={() => setMade(undefined)}>{t('copyLinkDone')}</Button>
            </Group>
          </Stack>
        </Dialog>
      ) : null}
    </Stack>
  )
}

function State({ of }: { of: ApiKey }) {
  const t = useTexts(settingsTexts)
  const { day } = useFormats()
  if (of.revoked_at) return <Badge color="red">{t('revoked')}</Badge>
  if (!of.expires_at) return null
  const isOver = Date.parse(of.expires_at) < Date.now()
  return (
    <Badge color={isOver ? 'red' : 'gray'}>{isOver ? t('expired') : t('expires', { day: day(of.expires_at) })}</Badge>
  )
}

/** The permissions of a key, and the field groups that it cannot see. */
function Rights(props: {
  permissions: ApiKey['permissions']
  withheld: ApiKey['withheld']
  onChange: (changes: { permissions?: ApiKey['permissions']; withheld?: ApiKey['withheld'] }) => void
}) {
  const { permissions, withheld, onChange } = props
  const t = useTexts(settingsTexts)
  const say = t as (key: string) => string
  return (
    <fieldset className="settings-grant">
      <legend>{t('whatAllowed')}</legend>
      <PermissionsInput value={permissions} onChange={(value) => onChange({ permissions: value })} />
      <MultiSelect
        mt="sm"
        label={t('withheld')}
        data={GROUPS_OF_FIELDS.map((value) => ({ value, label: capital(say(`group_${value}`)) }))}
        value={withheld}
        onChange={(value) => onChange({ withheld: value as ApiKey['withheld'] })}
      />
    </fieldset>
  )
}

function NewKey({ onClose, onMade }: { onClose: () => void; onMade: (made: CreatedKey) => void }) {
  const words = useTexts(common)
  const t = useTexts(settingsTexts)
  const [rights, setRights] = useState<Pick<ApiKey, 'permissions' | 'withheld'>>({ permissions: [], withheld: [] })
  const make = useWrite('POST /api_keys', {
    // Changes of keys and permissions cannot be undone.
    isFinal: true,
    done: ({ data }) => words('added', { name: data.name }),
    onSuccess: ({ data }) => onMade({ name: data.name, key: data.key }),
  })
  return (
    <Form
      fields={CreateApiKey}
      of={ENTERED}
      onSubmit={(values) => make.mutate({ body: { ...values, ...rights } as never })}
      error={make.error}
      isBusy={make.isPending}
      submitLabel={t('newKey')}
      onCancel={onClose}
    >
      {() => (
        <>
          <Rights {...rights} onChange={(changes) => setRights({ ...rights, ...changes })} />
          <Text size="sm" c="dimmed">
            {t('keyOfPerson')}
          </Text>
        </>
      )}
    </Form>
  )
}

function KeyPanel({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  const t = useTexts(settingsTexts)
  const may = useMay()
  const sentence = usePermissionSentence()
  const read = useRead('GET /api_keys/{id}', { params: { id } })
  return (
    <SidePanel opened onClose={onClose} title={read.answer?.data.name ?? title} size="lg">
      <WhenFresh of={read}>
        {({ data }) =>
          may('keys:write') && !data.revoked_at ? (
            <KeyForm of={data} etag={read.etag} onClose={onClose} />
          ) : (
            <Stack>
              <State of={data} />
              <p className="settings-sentence">{capital(sentence.allowed(data.permissions))}</p>
              {data.withheld.length > 0 ? (
                <p className="settings-sentence">
                  {t('withheld')}: {sentence.groups(data.withheld)}
                </p>
              ) : null}
            </Stack>
          )
        }
      </WhenFresh>
    </SidePanel>
  )
}

function KeyForm({ of, etag, onClose }: { of: ApiKey; etag: string | undefined; onClose: () => void }) {
  const t = useTexts(settingsTexts)
  const words = useTexts(common)
  const { id, name, permissions, withheld } = of
  const [rights, setRights] = useState<{ permissions?: ApiKey['permissions']; withheld?: ApiKey['withheld'] }>({})
  const save = useWrite('PUT /api_keys/{id}', { done: words('saved', { name }), isFinal: true, onSuccess: onClose })
  const revoke = useWrite('DELETE /api_keys/{id}', {
    done: t('keyRevoked', { name }),
    isFinal: true,
    onSuccess: onClose,
  })
  return (
    <Form
      fields={UpdateApiKey}
      of={ENTERED}
      start={startOf(of as never, ENTERED)}
      etag={etag}
      isTouched={Object.keys(rights).length > 0}
      onSubmit={(_, changed, ifMatch) => {
        const body = { ...changed, ...rights }
        if (Object.keys(body).length > 0) save.mutate({ params: { id }, body, ifMatch })
        else onClose()
      }}
      error={save.error}
      isBusy={save.isPending}
      onCancel={onClose}
      aside={
        <ConfirmButton
          label={t('revoke')}
          title={t('revokeTitle', { name })}
          text={t('revokeText')}
          isBusy={revoke.isPending}
          button={{ variant: 'subtle', color: 'red' }}
          onConfirm={() => revoke.mutate({ params: { id } })}
        />
      }
    >
      {() => (
        <Rights
          permissions={rights.permissions ?? permissions}
          withheld={rights.withheld ?? withheld}
          onChange={(changes) => setRights({ ...rights, ...changes })}
        />
      )}
    </Form>
  )
}
