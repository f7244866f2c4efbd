import Type from 'typebox'
import { operation } from '../../engine/operation.ts'
import { invalid, wrong } from '../../engine/problem.ts'
import { amend, find } from '../../engine/records.ts'
import type { Reader } from '../../records/reader.ts'
import { users } from '../access/users.ts'
import { ownSession } from '../sign-in/sessions.ts'

/**
 * Views that somebody has named: what stands in the address of a screen. One is kept or removed at a time, so that two
 * pages do not undo each other.
 */

const MOST = 200

const SCREEN = Type.String({
  description: 'Name of the console screen to which the view belongs',
  format: 'line',
  minLength: 1,
  maxLength: 50,
  examples: ['people'],
})
const NAME = Type.String({ format: 'line', minLength: 1, maxLength: 100, examples: ['New in Berlin'] })
const SEARCH = { format: 'line', maxLength: 4000, examples: ['status=all&sort=-hired_on'] }

const ANSWER = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        screen: SCREEN,
        name: NAME,
        search: Type.String({
          ...SEARCH,
          description: 'Query string of the screen, without the question mark',
        }),
      },
      { title: 'SavedView' },
    ),
  ),
})

const own = (db: Reader) => find(db, users, ownSession(db).userId)

export const savedViewOperations = [
  operation(
    {
      id: 'listSavedViews',
      method: 'GET',
      path: '/me/views',
      summary: 'List your saved views',
      area: 'me',
      answer: ANSWER,
      indexedColumns: [],
    },
    async ({ db }) => ({ body: { data: (await own(db)).saved_views ?? [] } }),
  ),
  operation(
    {
      id: 'saveView',
      method: 'PUT',
      path: '/me/views',
      summary: 'Save or remove a view',
      note: `A view is a named filter of a console screen. Replaces a view with the same name on the same screen; \`search: null\` removes it. At most ${MOST} views.`,
      area: 'me',
      body: Type.Object(
        {
          screen: SCREEN,
          name: NAME,
          search: Type.Unsafe<string | null>({
            ...SEARCH,
            type: ['string', 'null'],
            description: 'Query string of the screen, without the question mark',
          }),
        },
        { title: 'SaveView' },
      ),
      answer: ANSWER,
    },
    async ({ db, body: { screen, name, search } }) => {
      const user = await own(db)
      const others = (user.saved_views ?? []).filter((one) => one.screen !== screen || one.name !== name)
      const saved_views = search === null ? others : [...others, { screen, name, search }]
      if (saved_views.length > MOST)
        throw invalid(
          wrong(
            'name',
            'too_many',
            `cannot be added: you already have ${MOST} saved views, the maximum. Delete one first`,
          ),
        )
      await amend(db, users, user, { saved_views })
      return { body: { data: saved_views } }
    },
  ),
]
