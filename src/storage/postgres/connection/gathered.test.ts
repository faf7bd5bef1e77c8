import { expect, it } from 'vitest'
import { gathered } from './pool.ts'

const fault = () => new RangeError('a row that does not fit')

/** Answers when it is told to. */
function place(most: number) {
  const journeys: (readonly number[])[] = []
  const waiting: (() => void)[] = []
  const ask = gathered<number, string>(async (questions) => {
    journeys.push(questions)
    await new Promise<void>((resolve) => waiting.push(resolve))
    if (questions.includes(13)) throw fault()
    if (questions.includes(0)) throw new Error('away')
    return questions.map((question) => `${question}!`)
  }, most)
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const answer = async (): Promise<void> => {
    waiting.shift()?.()
    await turn()
  }
  return { journeys, ask, turn, answer }
}

// STORE-M4: what is asked at once is one journey
it('that of one turn, then what came while it was under way, at most so much', async () => {
  const { journeys, ask, turn, answer } = place(3)
  const first = Promise.all([ask(1), ask(2)])
  await turn()
  const later = Promise.all([ask(3), ask(4), ask(5), ask(6)])
  for (let n = 0; n < 3; n++) await answer()
  expect(await first).toEqual(['1!', '2!'])
  expect(await later).toEqual(['3!', '4!', '5!', '6!'])
  expect(journeys).toEqual([[1, 2], [3, 4, 5], [6]])
})

it('one whose content is at fault fails alone; what the database did not answer fails for all', async () => {
  const { journeys, ask, turn, answer } = place(9)
  const outcome = (asked: Promise<string>): Promise<string> => asked.catch((error: Error) => error.message)
  const one = Promise.all([1, 13, 2].map((question) => outcome(ask(question))))
  await turn()
  for (let n = 0; n < 4; n++) await answer()
  expect(await one).toEqual(['1!', 'a row that does not fit', '2!'])
  expect(journeys).toEqual([[1, 13, 2], [1], [13], [2]])
  const two = Promise.all([outcome(ask(0)), outcome(ask(1))])
  await turn()
  await answer()
  expect(await two).toEqual(['away', 'away'])
  const three = ask(7)
  await turn()
  await answer()
  expect(await three).toBe('7!')
})
