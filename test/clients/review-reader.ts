/** Reads all that was said in reviews: cycle by cycle, person by person. */
export async function readReviews(base: string, key: string): Promise<any[]> {
  const all = async (path: string): Promise<any[]> => {
    const records: any[] = []
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = await fetch(`${base}${path}?page=${page}`, { headers: { 'X-API-KEY': key } })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      const { data, metadata }: any = await answer.json()
      // Where there are none, some services say null.
      records.push(...(data ?? []))
      pages = metadata.pages
    }
    return records
  }
  const told: any[] = []
  for (const cycle of await all('/performance/review_cycles'))
    for (const review of await all(`/performance/review_cycles/${cycle.id}/reviews`)) {
      const place = `/performance/review_cycles/${cycle.id}/reviews/${review.id}`
      const participants = new Map((await all(`${place}/review_participants`)).map((one) => [one.id, one]))
      const questions = new Map((await all(`${place}/questions`)).map((one) => [one.id, one]))
      const answers = (await all(`${place}/answers`)).map((answer) => ({
        by: participants.get(answer.review_participant_id),
        question: questions.get(answer.review_question_id) ?? null,
        said: answer.text ?? answer.comment ?? answer.rating,
        answer,
      }))
      told.push({
        cycle,
        review,
        participants: [...participants.values()],
        questions: [...questions.values()],
        answers,
      })
    }
  return told
}
