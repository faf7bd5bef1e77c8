import type { FC, PropsWithChildren } from 'hono/jsx'

/**
 * A form that is one button. What cannot be taken back, or ends what others rely on, asks first: the button then opens
 * the question, and another one below it answers (CONSOLE-A19).
 * @param props.order what the answer does, where the first button does not name what it is about
 */
export const Action: FC<
  PropsWithChildren<{
    to: string
    csrf: string
    style?: string | undefined
    ask?: string | undefined
    order?: string | undefined
  }>
> = ({ to, csrf, style = '', ask, order, children }) =>
  ask === undefined ? (
    <Button to={to} csrf={csrf} style={style}>
      {children}
    </Button>
  ) : (
    <details class="ask">
      <summary class={style}>{children}</summary>
      <p>{ask}</p>
      <Button to={to} csrf={csrf} style={style}>
        {order === undefined ? children : <bdi>{order}</bdi>}
      </Button>
    </details>
  )

const Button: FC<PropsWithChildren<{ to: string; csrf: string; style: string }>> = ({ to, csrf, style, children }) => (
  <form method="post" action={to}>
    <input type="hidden" name="csrf" value={csrf} />
    <button type="submit" class={style}>
      {children}
    </button>
  </form>
)
