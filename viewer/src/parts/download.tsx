/** A button that saves a text as a file, always as plain text. */
export function Download({ text, name, children }: { text: string; name: string; children: preact.ComponentChildren }) {
  const save = () => {
    const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <button type="button" class="plain" onClick={save}>
      {children}
    </button>
  );
}
