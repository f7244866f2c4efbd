import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import { useMay, useMe } from '../../client/me.ts'
import type { Vacancy, VacancyField } from '../../client/operations.ts'
import { CustomValue } from '../../parts/custom-value.tsx'
import { useBaseTag } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { nameOf } from '../../parts/person.tsx'
import { RichTextView } from '../../parts/rich-text.tsx'
import { Pairs, Section } from '../../parts/section.tsx'
import { Loading, WhenFresh, WhenLoaded } from '../../parts/states.tsx'
import { Link, useFilters } from '../../shell/router.tsx'
import type { ScreenProps } from '../../shell/screens.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { AllVacancies, careersPath, isPublic, VacancyActions, VacancyParts } from './actions.tsx'
import { VacancyState } from './page.tsx'
import { hiringTexts } from './texts.ts'
import { VacancyForm } from './vacancy-form.tsx'

/** All details of a vacancy; `?edit=1` shows the form. */
export default function DetailsPage({ params }: ScreenProps) {
  const id = Number(params.id)
  const t = useTexts(hiringTexts)
  const may = useMay()
  const { get, set } = useFilters()
  const vacancy = useRead('GET /recruitment/vacancies/{id}', { params: { id } }, { kinds: ['hires', 'applications'] })
  const custom = useRead('GET /recruitment/vacancy_fields', { query: { per_page: 200 } })
  const shown = vacancy.answer?.data
  const isEditing = Boolean(get('edit')) && may('recruitment:write')
  return (
    <Page
      title={shown?.title ?? t('title')}
      before={<AllVacancies />}
      actions={shown ? <VacancyActions of={shown} etag={vacancy.etag} isEditing={isEditing} /> : null}
    >
      <WhenLoaded of={vacancy} loading={<Loading rows={8} height={56} />}>
        {({ data }) => (
          <>
            <VacancyParts id={id} at="details" />
            {isEditing ? (
              <WhenFresh of={vacancy}>
                {({ data: now }) => (
                  <Editing of={now} etag={vacancy.etag} onDone={() => set({ edit: undefined }, { replace: true })} />
                )}
              </WhenFresh>
            ) : (
              <Details of={data} custom={custom.answer?.data ?? []} />
            )}
          </>
        )}
      </WhenLoaded>
    </Page>
  )
}

function Editing(props: { of: Vacancy; etag: string | undefined; onDone: () => void }) {
  const { onDone } = props
  const t = useTexts(hiringTexts)
  // The values when editing began. If somebody else saves first, the user sees a conflict and overwrites nothing.
  const [{ of }] = useState(props)
  const ifMatch = useBaseTag(props.etag)
  const save = useWrite('PUT /recruitment/vacancies/{id}', {
    done: ({ data }) => t('saved', { name: data.title }),
    onSuccess: onDone,
  })
  return (
    <VacancyForm
      of={of}
      error={save.error}
      isBusy={save.isPending}
      onCancel={onDone}
      onSubmit={(_, changed) =>
        Object.keys(changed).length > 0
          ? save.mutate({ params: { id: of.id }, body: changed as never, ifMatch })
          : onDone()
      }
    />
  )
}

function Details({ of, custom }: { of: Vacancy; custom: readonly VacancyField[] }) {
  const t = useTexts(hiringTexts)
  const fieldName = useFieldName()
  const valueName = useValueName()
  const { day, money } = useFormats()
  const { account } = useMe()
  const may = useMay()
  const typeOf = (name: string) =>
    custom.find(({ internal_name }) => internal_name === name) ?? { type: 'text' as const }
  const person = (one: Vacancy['hiring_lead'] | Vacancy['collaborators'][number]) =>
    may('directory:read') ? (
      <Anchor key={one.id} component={Link} to={`/people/${one.id}`}>
        {nameOf(one)}
      </Anchor>
    ) : (
      nameOf(one)
    )
  const pay = (amount: number | null | undefined) =>
    amount === null || amount === undefined ? '' : money(amount, of.currency_code ?? account.currency_code)
  const from = [pay(of.minimum_salary), pay(of.maximum_salary)]
  const words = (all: readonly string[]) =>
    all.length > 0 ? (
      <Group gap={6}>
        {all.map((one) => (
          <Badge key={one} color="gray">
            {one}
          </Badge>
        ))}
      </Group>
    ) : null
  return (
    <div className="vacancy-columns">
      <Stack gap="md" miw={0}>
        <Section title={fieldName('description')}>
          <RichTextView html={of.description} />
        </Section>
        <Section title={t('groupJob')}>
          <Pairs
            of={[
              ...(
                [
                  'department',
                  'location',
                  'employment_type',
                  'position',
                  'job_level',
                  'division',
                  'legal_entity',
                ] as const
              ).map((name) => [fieldName(name), of[name]?.name] as const),
              ...('minimum_salary' in of
                ? ([
                    [
                      t('salary'),
                      from[0] === from[1] || !from[0] || !from[1] ? from[0] || from[1] : `${from[0]} – ${from[1]}`,
                    ],
                  ] as const)
                : []),
              [t('skills'), words(of.skills)],
              [t('tags'), words(of.tags)],
            ]}
          />
        </Section>
        {of.custom_fields.length > 0 ? (
          <Section title={t('groupCustom')}>
            <Pairs
              of={of.custom_fields.map((one) => [
                one.name,
                <CustomValue key={one.vacancy_field_id} of={typeOf(one.internal_name)} value={one.value} />,
              ])}
            />
          </Section>
        ) : null}
      </Stack>
      <Stack gap="md" miw={0}>
        <Section title={t('groupHiring')}>
          <Pairs
            of={[
              [t('state'), <VacancyState key="state" state={of.state} />],
              [t('hires'), t('hiresOf', { hired: of.hires_count, positions: of.positions })],
              [t('lead'), person(of.hiring_lead)],
              [
                t('collaborators'),
                of.collaborators.length > 0 ? (
                  <Group key="collaborators" gap="xs">
                    {of.collaborators.map(person)}
                  </Group>
                ) : null,
              ],
              [t('pipeline'), of.recruitment_pipeline.name],
              [t('priority'), valueName(of.priority)],
              [t('opened'), of.opened_at ? day(of.opened_at) : null],
              [t('startsOn'), of.starts_on ? day(of.starts_on) : null],
              [t('endsOn'), of.ends_on ? day(of.ends_on) : null],
            ]}
          />
        </Section>
        <Section title={t('careers')}>
          {isPublic(of) ? (
            <Anchor href={careersPath(of.id, account.id)} target="_blank">
              {t('careersPage')}
            </Anchor>
          ) : (
            <Text c="dimmed" size="sm">
              {t(of.post_on_careers ? 'careersLater' : 'careersNot')}
            </Text>
          )}
        </Section>
      </Stack>
    </div>
  )
}
