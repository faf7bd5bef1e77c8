import type { FC, PropsWithChildren } from 'hono/jsx'

/**
 * A form that is one button. What cannot be taken back, or ends what others rely on, asks first: the button then opens
 * the question, and another one below it answers (CONSOLE-A19).
 * @param props.order what the answer does, where the first button does not name what it is about
 * @param props.sent fields beside the token
 */
export const Action: FC<
  PropsWithChildren<{
    to: string
    csrf: string
    style?: string | undefined
    ask?: string | undefined
    order?: string | undefined
    sent?: Readonly<Record<string, string>> | undefined
  }>
> = ({ to, csrf, style = '', ask, order, sent = {}, children }) =>
  ask === undefined ? (
    <Button {...{ to, csrf, style, sent }}>{children}</Button>
  ) : (
    <details class="ask">
      <summary class={style}>{children}</summary>
      <p>{ask}</p>
      <Button {...{ to, csrf, style, sent }}>{order === undefined ? children : <bdi>{order}</bdi>}</Button>
    </details>
  )

const Button: FC<
  PropsWithChildren<{ to: string; csrf: string; style: string; sent: Readonly<Record<string, string>> }>
> = ({ to, csrf, style, sent, children }) => (
  <form method="post" action={to}>
    {Object.entries({ csrf, ...sent }).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <button type="submit" class={style}>
      {children}
    </button>
  </form>
)
