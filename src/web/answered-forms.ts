/** ADMIN-D2: a form that is sent twice acts once; the second time gets the answer of the first. */

interface Kept {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

export type AnsweredForms = (key: string, act: () => Promise<Response>) => Promise<Response>

/** Far more than are sent within the time of a double click; the oldest are forgotten. */
const MAX_KEPT = 200

export function createAnsweredForms(): AnsweredForms {
  const answers = new Map<string, Promise<Kept>>()
  return async (key, act) => {
    let answer = answers.get(key)
    if (!answer) {
      answer = act().then(kept)
      answers.set(key, answer)
      // The same form may be sent again after a failure of ours, and after a refusal once it is corrected.
      answer.then(
        ({ status }) => status >= 400 && answers.delete(key),
        () => answers.delete(key),
      )
      const [oldest] = answers.keys()
      if (answers.size > MAX_KEPT && oldest !== undefined) answers.delete(oldest)
    }
    const { status, headers, body } = await answer
    return new Response(body === '' ? null : body, { status, headers: headers.map(([name, value]) => [name, value]) })
  }
}

async function kept(response: Response): Promise<Kept> {
  return { status: response.status, headers: [...response.headers], body: await response.text() }
}
