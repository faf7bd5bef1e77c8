/** Answers questions together, in one round trip, that callers ask in one turn or while others are under way. */
import { isContentFault } from './failures.ts'

interface Asked<Question, Answer> {
  readonly question: Question
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** @param ask answers in order; a content fault is asked again one by one. @param most of one round trip */
export function gathered<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  most: number,
): (question: Question) => Promise<Answer> {
  let waiting: Asked<Question, Answer>[] = []
  let isUnderWay = false

  const answer = async (asked: readonly Asked<Question, Answer>[]): Promise<void> => {
    try {
      const answers = await ask(asked.map(({ question }) => question))
      for (const [index, { resolve }] of asked.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      if (asked.length > 1 && isContentFault(error)) for (const one of asked) await answer([one])
      else for (const { reject } of asked) reject(error)
    }
  }
  const answerAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const now = waiting.slice(0, most)
      waiting = waiting.slice(most)
      await answer(now)
    }
    isUnderWay = false
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      if (isUnderWay) return
      isUnderWay = true
      setImmediate(() => void answerAll())
    })
}
