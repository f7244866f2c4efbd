import { Alert, Button, Group, Radio, Stack, Text, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import { type FieldProblem, type ItemOf, Problem } from '../../client/client.ts'
import { isShownAtFields, useRead, useWrite } from '../../client/data.ts'
import { CreateReviewAnswer } from '../../client/fields/review_answers.ts'
import { useMay, useMe } from '../../client/me.ts'
import { Page } from '../../parts/page.tsx'
import { useProblemText } from '../../parts/problems.ts'
import { Empty, Loading, WhenLoaded } from '../../parts/states.tsx'
import { useUnsaved } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { Back, State, useEmployeeNames } from './parts.tsx'
import { performanceTexts } from './texts.ts'

const REVIEW = '/performance/review_cycles/{review_cycle_id}/reviews/{review_id}'
type Question = ItemOf<`GET ${typeof REVIEW}/questions`>
type Answer = ItemOf<`GET ${typeof REVIEW}/answers`>
type Participant = ItemOf<`GET ${typeof REVIEW}/review_participants`>

type ParticipantType = 'self' | 'manager' | 'peer' | 'report'
/** `ReviewParticipantSelf`, `ReviewAnswerSelf` → self */
const wayOf = ({ type }: { type: string }) =>
  type.replace(/^Review(Participant|Answer)/, '').toLowerCase() as ParticipantType
const kindOf = ({ type }: Question) =>
  type.replace('ReviewTemplateQuestion', '').toLowerCase() as 'text' | 'scale' | 'choice'

/** The question in the wording for this participant. */
const titleFor = (question: Question, way: ParticipantType | undefined) =>
  (way === 'self' ? question.title_self : way === 'manager' ? question.title_manager : null) ?? question.title

/** A review: the user's own answers, the participants, and the answers that the user may see. */
export function Review({ cycleId, id }: { cycleId: number; id: number }) {
  const t = useTexts(performanceTexts)
  const { employee } = useMe()
  const may = useMay()
  const cycle = useRead('GET /performance/review_cycles/{id}', { params: { id: cycleId } })
  const at = { review_cycle_id: cycleId, review_id: id }
  const review = useRead(
    'GET /performance/review_cycles/{review_cycle_id}/reviews/{id}',
    { params: { review_cycle_id: cycleId, id } },
    { kinds: ['review_participants'] },
  )
  const all = { params: at, query: { per_page: 200 } }
  const questions = useRead(`GET ${REVIEW}/questions`, all, { enabled: Boolean(review.answer) })
  const participants = useRead(`GET ${REVIEW}/review_participants`, all, { enabled: Boolean(review.answer) })
  const answers = useRead(`GET ${REVIEW}/answers`, all, {
    enabled: Boolean(review.answer) && may('review_answers:read'),
    kinds: ['review_answers', 'review_participants'],
  })
  const about = review.answer?.data.employee_id
  const people = participants.answer?.data ?? []
  const name = useEmployeeNames([...(about ? [about] : []), ...people.map(({ employee_id }) => employee_id)])
  const title =
    about === undefined ? t('reviews') : about === employee?.id ? t('yourself') : t('answerFor', { name: name(about) })
  const own = people.find(({ employee_id }) => employee_id === employee?.id)
  return (
    <Page
      title={title}
      before={<Back to={`/performance/reviews/${cycleId}`}>{cycle.answer?.data.name ?? t('back')}</Back>}
    >
      <WhenLoaded of={review}>
        {() => (
          <WhenLoaded of={questions}>
            {({ data: asked }) => (
              <WhenLoaded of={participants}>
                {({ data }) => (
                  <Stack gap="xl">
                    {own && cycle.answer && answers.answer ? (
                      <OwnAnswers
                        key={own.id}
                        of={own}
                        at={at}
                        isOpen={cycle.answer.data.state === 'opened'}
                        questions={asked.filter((one) => one.participant_types.includes(wayOf(own)))}
                        given={answers.answer.data}
                      />
                    ) : null}
                    {may('review_answers:read') ? (
                      <WhenLoaded of={answers} loading={<Loading rows={4} />}>
                        {({ data: given }) => (
                          <Results
                            questions={asked}
                            answers={given.filter(
                              (one) => one.review_participant_id !== own?.id || own?.state === 'submitted',
                            )}
                            nameOf={(participantId) => {
                              const one = data.find((person) => person.id === participantId)
                              return one && name(one.employee_id)
                            }}
                          />
                        )}
                      </WhenLoaded>
                    ) : null}
                    <ParticipantLine of={data} at={at} nameOf={name} about={about ?? 0} />
                  </Stack>
                )}
              </WhenLoaded>
            )}
          </WhenLoaded>
        )}
      </WhenLoaded>
    </Page>
  )
}

type ReviewParams = { review_cycle_id: number; review_id: number }
type DraftAnswer = { value: AnswerValues; isSaved: boolean }
type AnswerValues = { text?: string | null; rating?: number | null; option?: string | null; comment?: string | null }
const WRITABLE = ['approved', 'started', 'revising']

/** The user's own answers. They can be saved as a draft several times, and then submitted. */
function OwnAnswers(props: {
  of: Participant
  at: ReviewParams
  isOpen: boolean
  questions: readonly Question[]
  given: readonly Answer[]
}) {
  const { of, at, isOpen, questions, given } = props
  const t = useTexts(performanceTexts)
  const words = useTexts(common)
  const may = useMay()
  const say = useProblemText()
  const stored = new Map<number, AnswerValues>(
    given.filter((one) => one.review_participant_id === of.id).map((one) => [one.review_question_id, one]),
  )
  // Answers from this tab replace the stored ones on screen. Only they are sent, because another tab may change the
  // rest.
  const [own, setOwn] = useState(new Map<number, DraftAnswer>())
  const [read, setRead] = useState(given)
  if (read !== given) {
    setRead(given)
    setOwn(new Map([...own].filter(([, { isSaved }]) => !isSaved)))
  }
  const save = useWrite(`PUT ${REVIEW}/answers`, {
    done: (_, { body }) => t(body?.submit ? 'thanks' : 'draftSaved'),
    touches: ['reviews', 'review_cycles', 'review_participants', 'review_answers'],
    // What the user typed during the request still has to be sent.
    onSuccess: (_, { body }) =>
      setOwn((now) => {
        const sent = new Set(body?.answers.map((one) => JSON.stringify(one)))
        const isSent = (id: number, { value }: DraftAnswer) =>
          sent.has(JSON.stringify(sentOf(questions.find((one) => one.id === id) as Question, value)))
        return new Map([...now].map(([id, one]) => [id, isSent(id, one) ? { ...one, isSaved: true } : one]))
      }),
  })
  const shown = ({ id }: Question): AnswerValues => own.get(id)?.value ?? stored.get(id) ?? {}
  // A stored answer is sent even if it is empty now, and a comment even without a rating. The service decides whether
  // that is valid.
  const changed = questions.filter(
    (one) => own.get(one.id)?.isSaved === false && (hasWords(one, shown(one)) || stored.has(one.id)),
  )
  useUnsaved(changed.length > 0, words('unsaved'), save.isPending)
  if (of.state === 'submitted') return <Alert color="cadre">{t('alreadyIn')}</Alert>
  if (!isOpen || !WRITABLE.includes(of.state) || !may('review_answers:write')) return null

  const problems = atQuestions(save.error, changed, t('missing'), say)
  const send = (submit: boolean) =>
    save.mutate({
      params: at,
      body: {
        review_participant_id: of.id,
        answers: changed.map((one) => sentOf(one, shown(one))),
        ...(submit ? { submit } : {}),
      },
    })
  return (
    <section aria-labelledby="own-answers">
      <Title order={2} size="h4" id="own-answers" mb="sm">
        {t('yourAnswers')}
      </Title>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send(true)
        }}
      >
        <Stack gap="lg">
          {questions.map((question) => (
            <Asked
              key={question.id}
              question={question}
              title={titleFor(question, wayOf(of))}
              value={shown(question)}
              error={problems.get(question.id)}
              onChange={(value) => setOwn(new Map(own).set(question.id, { value, isSaved: false }))}
            />
          ))}
          <Group gap="xs">
            <Button
              variant="default"
              onClick={() => send(false)}
              loading={save.isPending}
              disabled={changed.length === 0}
            >
              {t('saveDraft')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('handIn')}
            </Button>
          </Group>
        </Stack>
      </form>
    </section>
  )
}

const VALUE = { text: 'text', scale: 'rating', choice: 'option' } as const
const hasWords = (question: Question, given: AnswerValues) =>
  [given[VALUE[kindOf(question)]], given.comment].some((value) => value !== undefined && value !== null && value !== '')
const sentOf = (question: Question, given: AnswerValues) => {
  const kind = kindOf(question)
  const name = VALUE[kind]
  const comment = kind === 'text' ? {} : { comment: given.comment ?? null }
  return { review_question_id: question.id, [name]: given[name] ?? null, ...comment }
}

/** The errors of the service by question, from the position or the id in the error. */
function atQuestions(
  error: unknown,
  sent: readonly Question[],
  missing: string,
  say: (problem: FieldProblem) => string,
): Map<number, string> {
  const found = new Map<number, string>()
  if (!(error instanceof Problem)) return found
  const isPlaced = error.errors.map((one) => {
    const place = /^answers[[.](\d+)/.exec(one.field)?.[1]
    const id = place === undefined ? Number(/question (\d+)/.exec(one.message)?.[1]) : sent[Number(place)]?.id
    if (id) found.set(id, place === undefined || one.code === 'required' ? missing : say(one))
    return Boolean(id)
  })
  if (isPlaced.every(Boolean)) isShownAtFields(error)
  return found
}

function Asked(props: {
  question: Question
  title: string
  value: AnswerValues
  error: string | undefined
  onChange: (value: AnswerValues) => void
}) {
  const { question, title, value, error, onChange } = props
  const t = useTexts(performanceTexts)
  const kind = kindOf(question)
  if (kind === 'text')
    return (
      <Textarea
        label={title}
        withAsterisk={question.required}
        error={error}
        autosize
        minRows={3}
        maxRows={16}
        maxLength={CreateReviewAnswer.text.maxLength}
        value={value.text ?? ''}
        onChange={(event) => onChange({ ...value, text: event.currentTarget.value })}
      />
    )
  const [least, most] = [question.scale_min ?? 1, question.scale_max ?? 5]
  const options =
    kind === 'choice' ? question.options : Array.from({ length: most - least + 1 }, (_, at) => String(least + at))
  const chosen = kind === 'choice' ? value.option : value.rating
  return (
    <Stack gap={6}>
      <Radio.Group
        label={title}
        withAsterisk={question.required}
        error={error}
        {...(kind === 'scale' ? { description: t('rate', { least, most }) } : {})}
        value={chosen === null || chosen === undefined ? null : String(chosen)}
        onChange={(one) => onChange({ ...value, ...(kind === 'choice' ? { option: one } : { rating: Number(one) }) })}
      >
        <div className="performance-scale">
          {options.map((one) => (
            <Radio key={one} value={one} label={one} />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        aria-label={`${t('comment')}: ${title}`}
        placeholder={t('comment')}
        autosize
        minRows={1}
        maxLength={CreateReviewAnswer.comment.maxLength}
        value={value.comment ?? ''}
        onChange={(event) => onChange({ ...value, comment: event.currentTarget.value })}
      />
    </Stack>
  )
}

/** The answers by question. Anonymous participants have no name here. */
function Results(props: {
  questions: readonly Question[]
  answers: readonly Answer[]
  nameOf: (participantId: number | null) => string | undefined
}) {
  const { questions, answers, nameOf } = props
  const t = useTexts(performanceTexts)
  const { number } = useFormats()
  const answered = questions.filter(({ id }) => answers.some((one) => one.review_question_id === id))
  return (
    <section aria-labelledby="results">
      <Title order={2} size="h4" id="results" mb="sm">
        {t('resultsOf')}
      </Title>
      {answered.length === 0 ? (
        <Text c="dimmed">{t('noAnswers')}</Text>
      ) : (
        <Stack gap="lg">
          {answered.map((question) => {
            const given = answers.filter((one) => one.review_question_id === question.id)
            const ratings = given.flatMap(({ rating }) => (typeof rating === 'number' ? [rating] : []))
            const mean = ratings.reduce((sum, one) => sum + one, 0) / ratings.length
            return (
              <div key={question.id} className="performance-card">
                <Group justify="space-between" mb="xs" wrap="nowrap" align="flex-start">
                  <Title order={3} size="h5">
                    {question.title}
                  </Title>
                  {ratings.length > 1 ? (
                    <Text size="sm" fw={600}>
                      {t('average', { value: number(mean, { maximumFractionDigits: 1 }) })}
                    </Text>
                  ) : null}
                </Group>
                <Stack gap="sm">
                  {given.map((one) => (
                    <div key={one.id} className="performance-answer">
                      <Text size="sm" c="dimmed">
                        {[t(wayOf(one)), nameOf(one.review_participant_id)].filter(Boolean).join(' · ')}
                      </Text>
                      {[one.rating, one.option, one.text, one.comment]
                        .filter((value) => value !== null && value !== undefined && value !== '')
                        .map((value) => (
                          <Text key={String(value)}>
                            {typeof value === 'number' ? `${number(value)} / ${number(question.scale_max)}` : value}
                          </Text>
                        ))}
                    </div>
                  ))}
                </Stack>
              </div>
            )
          })}
        </Stack>
      )}
    </section>
  )
}

function ParticipantLine(props: {
  of: readonly Participant[]
  at: ReviewParams
  nameOf: (id: number) => string
  about: number
}) {
  const { of, at, nameOf, about } = props
  const t = useTexts(performanceTexts)
  const may = useMay()
  const { employee } = useMe()
  const revise = useWrite(`POST ${REVIEW}/review_participants/{id}/revise`, {
    done: t('sentBack'),
    touches: ['reviews', 'review_cycles', 'review_answers'],
  })
  if (of.length === 0) return <Empty icon="people" title={t('noReviews')} />
  // Users cannot send back their own answers, nor those about themselves. Others can if they see them.
  const maySendBack = ({ employee_id }: Participant) =>
    may('review_answers:write') && employee?.id !== about && employee?.id !== employee_id
  return (
    <section aria-labelledby="taking-part">
      <Title order={2} size="h4" id="taking-part" mb="sm">
        {t('takesPart')}
      </Title>
      <ul className="performance-list">
        {of.map((one) => (
          <li key={one.id} className="performance-card">
            <Group justify="space-between">
              <div>
                <Text fw={600}>{nameOf(one.employee_id)}</Text>
                <Text size="sm" c="dimmed">
                  {t(wayOf(one))}
                </Text>
              </div>
              <Group gap="xs">
                {maySendBack(one) && one.state === 'submitted' ? (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`${t('sendBack')}: ${nameOf(one.employee_id)}`}
                    onClick={() => revise.mutate({ params: { ...at, id: one.id } })}
                  >
                    {t('sendBack')}
                  </Button>
                ) : null}
                <State of={one.state} label={one.state === 'approved' ? t('asked') : undefined} />
              </Group>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  )
}
