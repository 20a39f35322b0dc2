/** The sentences of the reasons of a result. @type {(reasons: { message: string }[]) => string[]} */
export const messagesOf = (reasons) => reasons.map(({ message }) => message);
