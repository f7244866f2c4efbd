import Type from 'typebox'
import { operation } from '../engine/operation.ts'
import { conflict } from '../engine/problem.ts'
import { amend, find } from '../engine/records.ts'
import { recordId, schemaOf, wrapped } from '../engine/schema.ts'
import { showOne } from '../engine/shape.ts'
import { candidates } from './candidates.ts'
import { CONSENT_MOVES, type Consent, shownConsent } from './consent.ts'

const area = 'recruitment'

export const consentOperations = [
  operation(
    {
      id: 'setCandidateConsent',
      method: 'POST',
      path: '/recruitment/candidates/{candidate_id}/consent',
      summary: 'Ask for, note or withdraw a consent',
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
            examples: ['pending'],
          }),
          expires_on: Type.Optional(
            Type.Unsafe<string | null>({
              type: ['string', 'null'],
              format: 'date',
              examples: ['2030-01-01'],
              description: 'The first day on which a given consent no longer holds',
            }),
          ),
        },
        { title: 'SetConsent' },
      ),
      answer: wrapped(schemaOf(candidates.whole)),
      conflicts: 'The consent cannot go there from where it is',
    },
    async ({ db, params, body }) => {
      const before = await find(db, candidates, params.candidate_id)
      const column = body.kind === 'processing' ? 'consent_kept' : 'future_consent_kept'
      const now = before[column]
      const current = shownConsent(now, db.today).status
      if (!CONSENT_MOVES[current].includes(body.status))
        throw conflict(`A consent that is ${current} cannot become ${body.status}`)
      const next: Consent = {
        status: body.status,
        consented_at: body.status === 'consented' ? db.now : now.consented_at,
        rejected_at: body.status === 'rejected' ? db.now : null,
        expires_on: body.status === 'consented' ? (body.expires_on ?? null) : null,
      }
      await amend(db, candidates, before, { [column]: next })
      return { body: await showOne(db, candidates.whole, before.id) }
    },
  ),
]
