import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useListRange, useRead, useWrite } from '../../client/data.ts'
import { InviteUser, UpdateUser } from '../../client/fields/users.ts'
import { useMay, useMe } from '../../client/me.ts'
import type { NewSignInLink, User } from '../../client/operations.ts'
import { Badges } from '../../parts/badges.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog, SidePanel } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { startOf } from '../../parts/records/values.tsx'
import { useRoleName } from '../../parts/roles.ts'
import { SearchBox } from '../../parts/search.tsx'
import { SessionList } from '../../parts/sessions.tsx'
import { Empty, Failed, Loading, WhenFresh, WhenLoaded } from '../../parts/states.tsx'
import { type Column, VirtualTable } from '../../parts/table.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link, navigate, useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import type { SectionProps } from './sections.ts'
import { settingsTexts } from './texts.ts'

type NewLink = { name: string; link: NewSignInLink }

/** All users: their roles, when they were added, and how they sign in. */
export function UsersSection({ title, home, openId }: SectionProps) {
  const { nameOf: roleName } = useRoleName()
  const t = useTexts(settingsTexts)
  const fieldName = useFieldName()
  const may = useMay()
  const { get, set } = useFilters()
  const words = get('q')
  const [stretch, setStretch] = useState({ first: 0, last: 0 })
  const onView = useCallback((first: number, last: number) => setStretch({ first, last }), [])
  const [link, setLink] = useState<NewLink>()
  const sort = get('sort') === '-email' ? '-email' : 'email'
  const query = { sort: sort as 'email', ...(words ? { q: words } : {}) }
  const users = useListRange('GET /users', { query }, stretch)
  const close = () => navigate(home)
  const columns: Column<User>[] = [
    {
      key: 'name',
      title: fieldName('full_name'),
      width: 'minmax(140px, 1.2fr)',
      show: ({ id, name }) => (
        <Link to={`${home}/${id}`} className="person-name">
          {name}
        </Link>
      ),
    },
    {
      key: 'email',
      title: fieldName('email'),
      sort: 'email',
      width: 'minmax(160px, 1.4fr)',
      show: (user) => user.email,
      isMinor: true,
    },
    {
      key: 'roles',
      title: fieldName('roles'),
      show: ({ roles, disabled_at, reset_asked_at }) =>
        disabled_at ? (
          <Badge color="red">{t('disabled')}</Badge>
        ) : reset_asked_at ? (
          <Badge color="yellow">{t('resetAsked')}</Badge>
        ) : (
          roles.map(roleName).join(', ') || t('noRole')
        ),
    },
  ]
  return (
    <Stack gap="sm">
      <Group justify="space-between" mih={36}>
        <SearchBox label={t('filterEmail')} />
        {may('users:write') ? (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => navigate(`${home}/new`)}>
            {t('invite')}
          </Button>
        ) : null}
      </Group>
      {users.error ? (
        <Failed error={users.error} onRetry={() => void users.refetch()} />
      ) : users.total === undefined ? (
        <Loading rows={8} height={44} />
      ) : users.total === 0 ? (
        <Empty
          icon="people"
          isFiltered={words !== ''}
          onClear={() => set({ q: undefined })}
          {...(words ? {} : { title: t('userEmpty') })}
        />
      ) : (
        <VirtualTable
          label={title}
          columns={columns}
          total={users.total}
          rowAt={users.itemAt}
          idOf={({ id }) => id}
          onView={onView}
          sort={sort}
          onSort={(next) => set({ sort: next === 'email' ? undefined : next })}
          onOpen={({ id }) => navigate(`${home}/${id}`)}
        />
      )}
      <FailedSignIns />
      {openId === 'new' ? (
        <SidePanel opened onClose={close} title={t('inviteTitle')} size="lg">
          <Invitation
            onClose={close}
            onLink={(shown) => {
              close()
              setLink(shown)
            }}
          />
        </SidePanel>
      ) : openId ? (
        <UserPanel key={openId} id={openId} title={title} onClose={close} onLink={setLink} />
      ) : null}
      {link ? <LinkDialog {...link} onClose={() => setLink(undefined)} /> : null}
    </Stack>
  )
}

/** The link is shown only here. */
function LinkDialog({ name, link, onClose }: NewLink & { onClose: () => void }) {
  const t = useTexts(settingsTexts)
  const { moment } = useFormats()
  return (
    <Dialog opened onClose={onClose} title={t('linkTitle', { name })} size="lg" closeOnClickOutside={false}>
      <Stack>
        <Text>{t('linkText', { moment: moment(link.expires_at) })}</Text>
        <CopyField label={t('link')} value={link.url} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('copyLinkDone')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

const ENTERED = ['employee_id', 'name', 'email', 'role_ids'] as const
/** Here the name is that of a person. */
const useLabels = () => ({ name: useFieldName()('full_name') })

function Invitation({ onClose, onLink }: { onClose: () => void; onLink: (shown: NewLink) => void }) {
  const t = useTexts(settingsTexts)
  const labels = useLabels()
  // If SSO is required, a link cannot sign anybody in. The user signs in at the provider, which knows their email
  // address.
  const { sso_compulsory } = useMe().sign_in
  const add = useWrite('POST /users', {
    isFinal: true,
    done: ({ data }) => t('invitedBySso', { name: data.name }),
    onSuccess: onClose,
  })
  const invite = useWrite('POST /users/invite', {
    isFinal: true,
    done: ({ data }) => t('invited', { name: data.user.name }),
    onSuccess: ({ data }) => onLink({ name: data.user.name, link: data.link }),
  })
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t(sso_compulsory ? 'inviteBySso' : 'inviteText')}
      </Text>
      <Form
        fields={InviteUser}
        of={ENTERED}
        labels={labels}
        onSubmit={(values) => (sso_compulsory ? add : invite).mutate({ body: values })}
        error={invite.error ?? add.error}
        isBusy={invite.isPending || add.isPending}
        submitLabel={t('invite')}
        onCancel={onClose}
      >
        {({ role_ids }) =>
          ((role_ids as unknown[] | undefined) ?? []).length === 0 ? (
            <Alert color="yellow">{t('inviteNoRole')}</Alert>
          ) : null
        }
      </Form>
    </Stack>
  )
}

function UserPanel(props: { id: string; title: string; onClose: () => void; onLink: (shown: NewLink) => void }) {
  const { id, title, onClose, onLink } = props
  const { nameOf: roleName } = useRoleName()
  const words = useTexts(common)
  const labels = useLabels()
  const may = useMay()
  const read = useRead('GET /users/{id}', { params: { id } })
  const user = read.answer?.data
  const save = useWrite('PUT /users/{id}', {
    isFinal: true,
    done: words('saved', { name: user?.name ?? '' }),
    onSuccess: onClose,
    touches: ['user_roles'],
  })
  return (
    <SidePanel opened onClose={onClose} title={user?.name ?? title} size="lg">
      <WhenFresh of={read}>
        {({ data }) => (
          <Stack gap="lg">
            {may('users:write') ? (
              <Form
                fields={UpdateUser}
                of={ENTERED}
                labels={labels}
                start={startOf(data as never, ENTERED)}
                etag={read.etag}
                onSubmit={(_, changed, ifMatch) =>
                  Object.keys(changed).length > 0 ? save.mutate({ params: { id }, body: changed, ifMatch }) : onClose()
                }
                error={save.error}
                isBusy={save.isPending}
                onCancel={onClose}
              />
            ) : (
              <>
                <Text>{data.email}</Text>
                <Badges of={data.roles.map(roleName)} />
              </>
            )}
            <SignInOf user={data} onLink={onLink} />
          </Stack>
        )}
      </WhenFresh>
    </SidePanel>
  )
}

/** The kinds of records that show how a user signs in. */
const touches = ['sign_in', 'sessions', 'users']

/** A user's sign-in methods and sessions, with their actions. */
function SignInOf({ user, onLink }: { user: User; onLink: (shown: NewLink) => void }) {
  const t = useTexts(settingsTexts)
  const { ago, moment } = useFormats()
  const may = useMay()
  const own = useMe().user.id
  const { id, name } = user
  const params = { user_id: id }
  const read = useRead('GET /users/{user_id}/sign_in', { params }, { kinds: ['sessions', 'sign_in_links'] })
  const link = useWrite('POST /users/{user_id}/link', {
    onSuccess: ({ data }) => onLink({ name, link: data }),
    touches,
  })
  const disable = useWrite('POST /users/{id}/disable', { done: t('isDisabled', { name }), touches, isFinal: true })
  const enable = useWrite('POST /users/{id}/enable', { done: t('isEnabled', { name }), touches, isFinal: true })
  const factors = useWrite('DELETE /users/{user_id}/second_factors', {
    done: t('factorsRemoved'),
    isFinal: true,
    touches,
  })
  const mayWrite = may('users:write')
  return (
    <>
      <section aria-label={t('signInTitle')}>
        <Title order={3} size="h5" mb="xs">
          {t('signInTitle')}
        </Title>
        <WhenLoaded of={read} loading={<Loading rows={2} height={28} />}>
          {({ data }) => (
            <Stack gap="xs">
              {data.reset_asked_at ? (
                <Alert color="yellow">{t('askedReset', { when: ago(data.reset_asked_at) })}</Alert>
              ) : null}
              <Badges
                of={[
                  ...(data.password ? [t('hasPassword')] : []),
                  ...(data.totp ? [t('hasTotp')] : []),
                  ...(data.passkeys > 0 ? [t('hasPasskeys', { count: data.passkeys })] : []),
                  ...(data.recovery_codes > 0 ? [t('hasCodes', { count: data.recovery_codes })] : []),
                  ...(data.identities > 0 ? [t('hasIdentities', { count: data.identities })] : []),
                  ...(data.password || data.passkeys > 0 || data.identities > 0 ? [] : [t('hasNone')]),
                ]}
              />
              <Text size="sm" c="dimmed">
                {data.last_signed_in_at ? t('lastSignedIn', { when: ago(data.last_signed_in_at) }) : t('neverSignedIn')}
                {data.link?.expires_at ? ` · ${t('openLink', { moment: moment(data.link.expires_at) })}` : ''}
              </Text>
              {mayWrite ? (
                <Group gap="xs">
                  {user.disabled_at || id === own ? null : (
                    <Button
                      variant="default"
                      size="xs"
                      leftSection={<Icon name="link" size={14} />}
                      loading={link.isPending}
                      onClick={() => link.mutate({ params })}
                    >
                      {t(data.last_signed_in_at ? 'resetLink' : 'inviteAgain')}
                    </Button>
                  )}
                  {id !== own && (data.totp || data.passkeys > 0) ? (
                    <ConfirmButton
                      label={t('removeFactors')}
                      title={t('removeFactorsTitle', { name })}
                      text={t('removeFactorsText')}
                      isBusy={factors.isPending}
                      button={{ size: 'xs' }}
                      onConfirm={() => factors.mutate({ params })}
                    />
                  ) : null}
                  {user.disabled_at ? (
                    <Button
                      variant="default"
                      size="xs"
                      loading={enable.isPending}
                      onClick={() => enable.mutate({ params: { id } })}
                    >
                      {t('enable')}
                    </Button>
                  ) : id === own ? null : (
                    <ConfirmButton
                      label={t('disable')}
                      title={t('disableTitle', { name })}
                      text={t('disableText')}
                      isBusy={disable.isPending}
                      button={{ size: 'xs', color: 'red', variant: 'subtle' }}
                      onConfirm={() => disable.mutate({ params: { id } })}
                    />
                  )}
                </Group>
              ) : null}
            </Stack>
          )}
        </WhenLoaded>
      </section>
      <IdentitiesOf user={user} />
      <SessionsOf user={user} />
    </>
  )
}

/** The provider accounts that are linked to a user. */
function IdentitiesOf({ user }: { user: User }) {
  const t = useTexts(settingsTexts)
  const may = useMay()
  const own = useMe().user.id
  const params = { user_id: user.id }
  const identities = useRead('GET /users/{user_id}/identities', { params })
  const unlink = useWrite('DELETE /users/{user_id}/identities/{id}', { done: t('unlinked'), isFinal: true, touches })
  if (!identities.answer || identities.answer.data.length === 0) return null
  return (
    <section aria-label={t('identities')}>
      <Title order={3} size="h5" mb="xs">
        {t('identities')}
      </Title>
      <ul className="settings-list">
        {identities.answer.data.map((one) => (
          <li key={one.id}>
            <Group justify="space-between" gap="xs">
              <Text size="sm">
                {one.provider.name}
                {one.email ? ` · ${one.email}` : ''}
              </Text>
              {may('users:write') && user.id !== own ? (
                <ConfirmButton
                  label={t('unlink')}
                  title={t('unlinkTitle', { name: one.provider.name })}
                  text={t('unlinkText')}
                  isBusy={unlink.isPending}
                  button={{ size: 'xs', variant: 'subtle', color: 'red' }}
                  onConfirm={() => unlink.mutate({ params: { ...params, id: one.id } })}
                />
              ) : null}
            </Group>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The sessions of a user. */
function SessionsOf({ user }: { user: User }) {
  const t = useTexts(settingsTexts)
  const mayWrite = useMay()('users:write')
  const params = { user_id: user.id }
  const sessions = useRead('GET /users/{user_id}/sessions', { params })
  const end = useWrite('DELETE /users/{user_id}/sessions/{id}', { done: t('ended'), isFinal: true, touches })
  const endAll = useWrite('DELETE /users/{user_id}/sessions', { done: t('endedAll'), isFinal: true, touches })
  return (
    <section aria-label={t('sessions')}>
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h5">
          {t('sessions')}
        </Title>
        {mayWrite && (sessions.answer?.data.length ?? 0) > 1 ? (
          <Button size="xs" variant="default" loading={endAll.isPending} onClick={() => endAll.mutate({ params })}>
            {t('endAll')}
          </Button>
        ) : null}
      </Group>
      <WhenLoaded of={sessions} loading={<Loading rows={2} height={40} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('noSessions')}
            </Text>
          ) : (
            <SessionList
              of={data}
              isBusy={end.isPending}
              onEnd={mayWrite ? (session) => end.mutate({ params: { ...params, id: session } }) : undefined}
            />
          )
        }
      </WhenLoaded>
    </section>
  )
}

/** Failed sign-ins. Many from one address mean that somebody is guessing passwords. */
function FailedSignIns() {
  const t = useTexts(settingsTexts)
  const { moment } = useFormats()
  const read = useRead('GET /failed_sign_ins', { query: { sort: '-updated_at', per_page: 5 } })
  if (!read.answer || read.answer.data.length === 0) return null
  return (
    <section aria-label={t('failedSignIns')}>
      <Title order={2} size="h5" mt="lg" mb="xs">
        {t('failedSignIns')}
      </Title>
      <ul className="settings-list">
        {read.answer.data.map(({ id, address, attempts, updated_at }) => (
          <li key={id}>
            <Group justify="space-between" gap="xs">
              <Text size="sm">{t('failedText', { count: attempts, address: address ?? '–' })}</Text>
              <Text size="sm" c="dimmed">
                {moment(updated_at)}
              </Text>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  )
}
