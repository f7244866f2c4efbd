import Type from 'typebox'
import { operation } from '../../engine/operation.ts'
import { canBecome, conflict, refuse, wrong } from '../../engine/problem.ts'
import { amend, find } from '../../engine/records.ts'
import { recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { showOne } from '../../engine/shape.ts'
import { tellingMerged } from './candidate-merges.ts'
import { candidates } from './candidates.ts'
import { CONSENT_MOVES, type Consent, shownConsent } from './consent.ts'

const area = 'recruitment'

export const consentOperations = [
  operation(
    {
      id: 'setCandidateConsent',
      method: 'POST',
      path: '/recruitment/candidates/{candidate_id}/consent',
      summary: 'Set a consent of a candidate',
      area,
      params: Type.Object({ candidate_id: recordId('candidates') }),
      body: Type.Object(
        {
          kind: Type.Unsafe<'processing' | 'future_recruitment'>({
            type: 'string',
            enum: ['processing', 'future_recruitment'],
            examples: ['processing'],
          }),
          status: Type.Unsafe<'none' | 'pending' | 'consented' | 'rejected'>({
            type: 'string',
            enum: ['none', 'pending', 'consented', 'rejected'],
            examples: ['consented'],
          }),
          expires_on: Type.Optional(
            Type.Unsafe<string | null>({
              type: ['string', 'null'],
              format: 'date',
              examples: ['2030-01-01'],
              description:
                'First day on which the consent no longer applies: a date in the future, only with the status `consented`. If omitted, the consent has no end',
            }),
          ),
        },
        { title: 'SetConsent' },
      ),
      answer: wrapped(schemaOf(candidates.whole)),
      conflicts: 'The consent cannot change from its current status to the one you sent',
    },
    async ({ db, params, body, problems }) => {
      const before = await find(db, candidates, params.candidate_id)
      const column = body.kind === 'processing' ? 'consent_kept' : 'future_consent_kept'
      const now = before[column]
      const current = shownConsent(now, db.today).status
      const { expires_on = null } = body
      if (expires_on !== null && body.status !== 'consented')
        problems.push(wrong('expires_on', 'not_allowed', 'is only allowed with the status consented'))
      else if (expires_on !== null && expires_on <= db.today)
        problems.push(wrong('expires_on', 'too_early', `must be after today, ${db.today}, when the consent is given`))
      refuse(problems)
      if (!CONSENT_MOVES[current].includes(body.status))
        throw conflict(
          `The status of the ${body.kind} consent is ${current} and cannot become ${body.status}. ${canBecome(CONSENT_MOVES[current].filter((one) => one !== current))}`,
        )
      const next: Consent = {
        status: body.status,
        consented_at: body.status === 'consented' ? db.now : now.consented_at,
        rejected_at: body.status === 'rejected' ? db.now : null,
        expires_on,
      }
      await amend(db, candidates, before, { [column]: next })
      return { body: await showOne(db, candidates.whole, before.id) }
    },
  ),
].map(tellingMerged)
