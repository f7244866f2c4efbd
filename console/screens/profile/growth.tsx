import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { ownPath } from '../../client/client.ts'
import {
  CreateCertification,
  CreateDependent,
  CreateEmergencyContact,
  CreateEmployeeEducation,
  CreateEmployeeNote,
  UpdateCertification,
  UpdateDependent,
  UpdateEmergencyContact,
  UpdateEmployeeEducation,
  UpdateEmployeeNote,
} from '../../client/fields/employees.ts'
import { CreateEmployeeSkill, UpdateEmployeeSkill } from '../../client/fields/skills.ts'
import type {
  Certification,
  Dependent,
  EmergencyContact,
  EmployeeEducation,
  EmployeeNote,
  EmployeeSkill,
} from '../../client/operations.ts'
import { nameOf } from '../../parts/person.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { Records } from './records.tsx'
import { useProfile } from './shared.ts'
import { profileTexts } from './texts.ts'

const beneath = (...words: (string | null | undefined)[]) => words.filter(Boolean).join(' · ')

const Words = ({ name, more }: { name: string; more?: string }) => (
  <>
    <Text fw={600}>{name}</Text>
    {more ? (
      <Text size="sm" c="dimmed">
        {more}
      </Text>
    ) : null}
  </>
)

export function Growth() {
  const t = useTexts(profileTexts)
  const valueName = useValueName()
  const fieldName = useFieldName()
  const { day } = useFormats()
  const { may } = useProfile()
  const COLOURS = { interested: 'gray', basic: 'blue', proficient: 'cadre', expert: 'grape' }
  return (
    <Stack gap="md">
      {may('skills:read') ? (
        <Records<EmployeeSkill>
          kind="skills"
          title={t('skillsTitle')}
          addLabel={t('addSkill')}
          permission="skills:write"
          create={CreateEmployeeSkill}
          update={UpdateEmployeeSkill}
          of={['skill_id', 'level']}
          nameOf={({ skill }) => skill.name}
          show={({ skill, level }) => (
            <Group gap="sm">
              <Text fw={600}>{skill.name}</Text>
              <Badge color={COLOURS[level]}>{valueName(level)}</Badge>
            </Group>
          )}
        />
      ) : null}
      <Records<EmployeeEducation>
        kind="educations"
        title={t('educations')}
        addLabel={t('addEducation')}
        permission="employees:write"
        create={CreateEmployeeEducation}
        update={UpdateEmployeeEducation}
        of={['school', 'degree', 'from_year', 'to_year', 'grade']}
        nameOf={({ degree }) => degree}
        show={({ school, degree, from_year, to_year, grade }) => (
          <Words
            name={degree}
            more={beneath(
              school,
              [from_year, to_year].filter(Boolean).join('–'),
              grade ? `${fieldName('grade')} ${grade}` : null,
            )}
          />
        )}
      />
      <Records<Certification>
        kind="certifications"
        title={t('certifications')}
        addLabel={t('addCertification')}
        permission="employees:write"
        create={CreateCertification}
        update={UpdateCertification}
        of={['name', 'issuer', 'issued_on', 'expires_on', 'url', 'attachment']}
        labels={{ issuer: t('issuedBy') }}
        nameOf={({ name }) => name}
        show={({ name, issuer, issued_on, expires_on, url, attachment_url }) => (
          <>
            <Group gap="sm">
              <Text fw={600}>{name}</Text>
              {expires_on && expires_on < today() ? <Badge color="red">{t('expired')}</Badge> : null}
            </Group>
            <Text size="sm" c="dimmed">
              {beneath(issuer, day(issued_on), expires_on ? `${fieldName('expires_on')} ${day(expires_on)}` : null)}
            </Text>
            <Group gap="sm">
              {url ? (
                <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
                  {t('openLink')}
                </Anchor>
              ) : null}
              {attachment_url ? (
                <Anchor href={ownPath(attachment_url)} download size="sm">
                  {t('download')}
                </Anchor>
              ) : null}
            </Group>
          </>
        )}
      />
    </Stack>
  )
}

export function Family() {
  const t = useTexts(profileTexts)
  const fieldName = useFieldName()
  const valueName = useValueName()
  const { day } = useFormats()
  return (
    <Stack gap="md">
      <Records<EmergencyContact>
        kind="emergency_contacts"
        title={t('contacts')}
        addLabel={t('addContact')}
        permission="employees:write"
        create={CreateEmergencyContact}
        update={UpdateEmergencyContact}
        of={['name', 'relationship', 'mobile_phone_number', 'home_phone_number', 'work_phone_number', 'email']}
        labels={{ name: fieldName('full_name') }}
        nameOf={({ name }) => name ?? ''}
        show={(one) => (
          <Words
            name={one.name ?? ''}
            more={beneath(
              one.relationship,
              one.mobile_phone_number,
              one.home_phone_number,
              one.work_phone_number,
              one.email,
            )}
          />
        )}
      />
      <Records<Dependent>
        kind="dependents"
        title={t('dependents')}
        addLabel={t('addDependent')}
        permission="employees:write"
        create={CreateDependent}
        update={UpdateDependent}
        of={['first_name', 'last_name', 'relationship', 'date_of_birth', 'gender']}
        nameOf={({ first_name, last_name }) => `${first_name} ${last_name}`}
        show={(one) => (
          <Words
            name={`${one.first_name} ${one.last_name}`}
            more={beneath(one.relationship, day(one.date_of_birth), one.gender ? valueName(one.gender) : null)}
          />
        )}
      />
    </Stack>
  )
}

export function Notes() {
  const t = useTexts(profileTexts)
  const { moment } = useFormats()
  const { employee, sees } = useProfile()
  const name = employee.full_name
  return (
    <Records<EmployeeNote>
      kind="notes"
      title={sees('notes') ? t('notes') : t('notesShared')}
      addLabel={t('addNote')}
      permission="employees:write"
      create={CreateEmployeeNote}
      update={UpdateEmployeeNote}
      of={['body', 'shared_with_employee']}
      note={t('noteSeenBy', { name })}
      labels={{ shared_with_employee: t('noteShare', { name }) }}
      nameOf={({ body }) => body.slice(0, 40)}
      show={({ body, created_by, created_at, shared_with_employee }) => (
        <>
          <Text className="profile-note">{body}</Text>
          <Text size="sm" c="dimmed">
            {beneath(created_by ? nameOf(created_by) : null, moment(created_at))}
          </Text>
          {sees('notes') && shared_with_employee ? <Badge color="blue">{t('noteShared', { name })}</Badge> : null}
        </>
      )}
    />
  )
}
