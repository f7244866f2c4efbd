import { useRead, useWrite } from '../../client/data.ts'
import { useMayForAll } from '../../client/me.ts'
import { Page } from '../../parts/page.tsx'
import { Forbidden, Loading, WhenLoaded } from '../../parts/states.tsx'
import { navigate, useFilters } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { AllVacancies } from './actions.tsx'
import { hiringTexts } from './texts.ts'
import { VacancyForm } from './vacancy-form.tsx'

/** Creates a vacancy as a draft. `?copy=7` copies the values of another one. */
export default function NewVacancyPage() {
  const t = useTexts(hiringTexts)
  const mayForAll = useMayForAll()
  const id = Number(useFilters().get('copy'))
  const copied = useRead('GET /recruitment/vacancies/{id}', { params: { id } }, { enabled: id > 0 })
  const add = useWrite('POST /recruitment/vacancies', {
    done: ({ data }) => t('made', { name: data.title }),
    onSuccess: ({ data }) => navigate(`/hiring/${data.id}/details`, { replace: true }),
  })
  const form = {
    onSubmit: (values: Record<string, unknown>) => {
      const body = Object.fromEntries(
        Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
      )
      add.mutate({ body: body as never })
    },
    onCancel: () => navigate(id > 0 ? `/hiring/${id}/details` : '/hiring'),
    error: add.error,
    isBusy: add.isPending,
  }
  return (
    <Page title={t(id > 0 ? 'copyTitle' : 'newTitle')} before={<AllVacancies />}>
      {!mayForAll('recruitment:write') ? (
        <Forbidden />
      ) : id > 0 ? (
        <WhenLoaded of={copied} loading={<Loading rows={8} height={56} />}>
          {({ data }) => (
            // The dates and the publication are not copied.
            <VacancyForm
              of={data}
              instead={{
                title: t('copyOf', { name: data.title }).slice(0, 100),
                starts_on: null,
                ends_on: null,
                post_on_careers: false,
                salary_on_careers: false,
              }}
              {...form}
            />
          )}
        </WhenLoaded>
      ) : (
        <VacancyForm {...form} />
      )}
    </Page>
  )
}
