/** What every report says with a prediction: that it is one, and how often such predictions were right. */
export function predictedNote(accuracy: number): string {
  return `predicted from text, not an agent run; right for ${Math.floor(accuracy * 10)} of 10 questions on libraries it had never seen`;
}
