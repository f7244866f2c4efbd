import Type from 'typebox'
import { get, list, post, put, remove } from '../../engine/derive.ts'
import { choice, integer, neverBlank, reference, text } from '../../engine/field.ts'
import { operation } from '../../engine/operation.ts'
import { LAST, nextPlace, renumber } from '../../engine/order.ts'
import { conflict, type FieldProblem, wrong } from '../../engine/problem.ts'
import { amend, create, erase, find, insertAll } from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import { bodySchema, recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { many, showOne } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'

const area = 'recruitment'

export const STAGE_TYPES = ['new', 'in_progress', 'hired'] as const

export const pipelines = resource(
  { table: 'pipelines', one: 'pipeline', area, path: '/recruitment/pipelines' },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Engineers' }),
    stages: many(
      () => stages,
      'pipeline_id',
      () => stageCard,
      'position',
    ),
  },
)

export const stages = resource(
  { table: 'pipeline_stages', one: 'pipeline stage', area, path: '/recruitment/pipelines/{pipeline_id}/stages' },
  {
    pipeline_id: reference('pipelines', { required: true, owner: true, part: true }),
    name: text({ required: true, example: 'Interview' }),
    position: integer({
      supplied: true,
      min: 1,
      max: 1000,
      note: 'Position in the pipeline, starting at 1; last by default',
    }),
    type: neverBlank(choice(STAGE_TYPES, { default: 'in_progress', example: 'in_progress' })),
  },
)

export const stageCard = card(stages, 'PipelineStage', ['id', 'name', 'position', 'type', 'created_at', 'updated_at'])
export const stageName = card(stages, 'PipelineStageName', ['id', 'name'])

const stagesInput = Type.Array(
  Type.Unsafe<string | StageInput>({
    type: ['string', 'object'],
    format: 'line',
    maxLength: 255,
    properties: {
      name: Type.String({ format: 'line', maxLength: 255 }),
      type: Type.Unsafe({ type: 'string', enum: [...STAGE_TYPES] }),
    },
    examples: ['Applied'],
  }),
  {
    maxItems: 50,
    description: 'Stages from first to last: names, or objects with `name` and `type`',
    examples: [['Applied', 'Interview', { name: 'Hired', type: 'hired' }]],
  },
)

type StageInput = { name?: string; type?: (typeof STAGE_TYPES)[number] | undefined }

/** Names or objects → stages: the first is new and the last hired unless they say otherwise. */
function readStages(sent: readonly (string | StageInput)[], problems: FieldProblem[]): Required<StageInput>[] {
  const read = sent.map((one) => (typeof one === 'string' ? { name: one.trim(), type: undefined } : one))
  for (const [index, { name }] of read.entries())
    if (!name) problems.push(wrong(`stages[${index}]`, 'blank', 'must have a name'))
  return read.map(({ name = '', type }, index) => ({
    name,
    type: type ?? (index === 0 ? 'new' : index === read.length - 1 && read.length > 1 ? 'hired' : 'in_progress'),
  }))
}

const STANDARD = ['Applied', 'Interview', 'Offer', 'Hired']

const stagesOf = (db: Reader, pipelineId: number) => db.from('pipeline_stages').where('pipeline_id', '=', pipelineId)

/** Whoever stands in a stage of the type hired has a position: the type stays while applications stand in the stage. */
export async function refuseStanding(db: Reader, stageIds: readonly number[]): Promise<void> {
  const standing = await db
    .from('applications')
    .select('stage_id')
    .where('stage_id', 'in', [...stageIds])
    .where('disqualified_at', 'is', null)
    .executeTakeFirst()
  if (standing)
    throw conflict(
      `There are applications in stage ${standing.stage_id}. Move them before you change its type to or from hired.`,
    )
}

/** Does a change make a stage one of those who are hired, or cease to be one? */
const changesHired = (before: string | null | undefined, type: string | null | undefined) =>
  type !== undefined && type !== before && [before, type].includes('hired')

const inPipeline = Type.Object({ pipeline_id: recordId('pipelines') })
const oneStage = Type.Object({ pipeline_id: recordId('pipelines'), id: recordId('pipeline_stages') })

export const pipelineOperations = [
  list(pipelines),
  get(pipelines),
  post(pipelines, {
    more: { stages: stagesInput },
    note: `If you send no stages, the pipeline gets these: ${STANDARD.join(', ')}.`,
    async store({ db, body, problems }) {
      const given = readStages(body.stages?.length ? body.stages : STANDARD, problems)
      const id = await create(db, pipelines, body, { problems })
      await insertAll(
        db,
        stages,
        given.map((stage, index) => ({ ...stage, pipeline_id: id, position: index + 1 })),
      )
      return id
    },
  }),
  put(pipelines),
  remove(pipelines),
  get(stages, { shape: stageCard }),
  operation(
    {
      id: 'createPipelineStage',
      method: 'POST',
      path: stages.path,
      summary: 'Add a stage to a pipeline',
      area,
      params: inPipeline,
      body: bodySchema(stages, 'create'),
      status: 201,
      answer: wrapped(schemaOf(stageCard)),
    },
    async ({ db, params, body, problems }) => {
      await find(db, pipelines, params.pipeline_id)
      const siblings = stagesOf(db, params.pipeline_id)
      const place = { pipeline_id: params.pipeline_id, position: await nextPlace(siblings) }
      const id = await create(db, stages, { ...body, ...place }, { problems })
      if (body.position) await renumber(db, stages, siblings, { id, to: body.position as number })
      return {
        body: await showOne(db, stageCard, id),
        location: `/recruitment/pipelines/${params.pipeline_id}/stages/${id}`,
      }
    },
  ),
  operation(
    {
      id: 'updatePipelineStage',
      method: 'PUT',
      path: `${stages.path}/{id}`,
      summary: 'Update a stage of a pipeline',
      area,
      params: oneStage,
      body: bodySchema(stages, 'update'),
      answer: wrapped(schemaOf(stageCard)),
      conflicts: 'The type cannot change from or to `hired` while the stage has applications',
    },
    async ({ db, params, body, problems }) => {
      const before = await find(db, stages, params.id, { pipeline_id: params.pipeline_id })
      const { position, ...rest } = body as Record<string, any>
      await amend(db, stages, before, rest, { problems })
      if (changesHired(before.type, rest.type)) await refuseStanding(db, [before.id])
      if (position !== undefined)
        await renumber(db, stages, stagesOf(db, params.pipeline_id), { id: params.id, to: position ?? LAST })
      return { body: await showOne(db, stageCard, params.id) }
    },
  ),
  operation(
    {
      id: 'deletePipelineStage',
      method: 'DELETE',
      path: `${stages.path}/{id}`,
      summary: 'Delete a stage of a pipeline',
      area,
      params: oneStage,
      conflicts: 'The stage has applications, or had some in the past',
    },
    async ({ db, params }) => {
      const stage = await find(db, stages, params.id, { pipeline_id: params.pipeline_id })
      const [first, second] = await db
        .from('pipeline_stages')
        .select('id')
        .where('pipeline_id', '=', params.pipeline_id)
        .limit(2)
        .execute()
      if (first && !second)
        throw conflict('A pipeline needs at least one stage. Add another stage before you delete this one.')
      await erase(db, stages, stage)
      await renumber(db, stages, stagesOf(db, params.pipeline_id))
      return {}
    },
  ),
]
