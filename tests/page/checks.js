// What every page must fulfil at every width and in both themes. The value is a list of sentences.
(() => {
  const found = [];
  const say = (what, node) => found.push(`${what}: <${node.tagName.toLowerCase()} class="${node.getAttribute("class") ?? ""}"> ${node.textContent.trim().slice(0, 60)}`);
  const visible = (node) => node.checkVisibility({ visibilityProperty: true }) && node.closest(".hidden, .skip, .unseen, .figure dt") === null;
  const nodes = [...document.body.querySelectorAll("*")].filter((node) => !["SCRIPT", "STYLE"].includes(node.tagName) && visible(node));
  const width = document.documentElement.clientWidth;

  // Nothing is cut but in boxes that say that they scroll.
  if (document.documentElement.scrollWidth > width) found.push(`the page is ${document.documentElement.scrollWidth} pixels wide`);
  const marked = (node, ways) => ways.some((way) => (node.dataset?.scroller ?? "").split(" ").includes(way));
  const scroller = (node) => node.closest("[data-scroller]");
  for (const node of nodes) {
    if (node instanceof SVGElement && node.tagName !== "svg") continue;
    if (["SELECT", "INPUT", "OPTION"].includes(node.tagName)) continue;
    const style = getComputedStyle(node);
    const cuts = (overflow) => overflow !== "visible";
    if (cuts(style.overflowX) && node.scrollWidth > node.clientWidth + 1 && !marked(node, ["left", "right"])) say("cut at a side", node);
    if (cuts(style.overflowY) && node.scrollHeight > node.clientHeight + 1 && !marked(node, ["top", "bottom"])) say("cut at the bottom", node);
    const box = node.getBoundingClientRect();
    if (scroller(node) === null && (box.right > width + 1 || box.left < -1)) say("beyond the page", node);
  }
  // Long words do not run over what is beside them.
  for (const node of document.querySelectorAll(".cards li, .meeting, .legend, .panel > p, .settings dt, .settings dd")) {
    if (visible(node) && node.scrollWidth > node.clientWidth + 1) say("beyond its box", node);
  }
  // Labels stay inside the box of their plot.
  for (const text of document.querySelectorAll("svg text")) {
    const frame = text.closest(".plot-box, .track-box, .box, .player, .panel");
    if (!visible(text) || frame === null) continue;
    const [box, outer] = [text.getBoundingClientRect(), frame.getBoundingClientRect()];
    if (!marked(frame, ["left", "right"]) && (box.left < outer.left - 1 || box.right > outer.right + 1)) say("a label beyond its plot", text);
  }
  // End labels of curves do not cover each other.
  for (const plot of document.querySelectorAll("svg.plot")) {
    const boxes = [...plot.querySelectorAll("text.end:not(.tag)")].map((text) => text.getBoundingClientRect()).sort((a, b) => a.top - b.top);
    boxes.slice(1).forEach((box, i) => { if (box.top < boxes[i].top + 0.6 * boxes[i].height) say("labels cover each other", plot); });
  }

  // Text has a contrast of at least 4.5 to what is behind it.
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  /** Red, green, blue and alpha from 0 to 1 of any CSS colour. */
  const parse = (colour) => {
    if (!known.has(colour)) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      known.set(colour, [...context.getImageData(0, 0, 1, 1).data].map((part) => part / 255));
    }
    return known.get(colour);
  };
  const over = (top, bottom) => [0, 1, 2].map((i) => top[i] * top[3] + bottom[i] * (1 - top[3])).concat(1);
  const luminance = (colour) => colour.slice(0, 3).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    if (node === null) return parse(getComputedStyle(document.documentElement).colorScheme === "dark" ? "black" : "white");
    // A label in a picture lies on the last shape drawn before it that is filled and around its middle.
    if (node.tagName === "text") {
      const style = getComputedStyle(node);
      if (style.paintOrder.startsWith("stroke")) return parse(style.stroke);
      const box = node.getBoundingClientRect();
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      for (let shape = node.previousElementSibling; shape !== null; shape = shape.previousElementSibling) {
        if (!shape.matches(".cloth, circle, rect")) continue;
        const [around, fill] = [shape.getBoundingClientRect(), getComputedStyle(shape).fill];
        const inside = around.left <= x && x <= around.right && around.top <= y && y <= around.bottom;
        if (inside && fill !== "none") return over(parse(fill), behind(node.closest("svg")));
      }
    }
    const colour = parse(getComputedStyle(node).backgroundColor);
    return colour[3] === 1 ? colour : over(colour, behind(node.parentElement));
  };
  const faded = (node) => (node === null ? 1 : Number(getComputedStyle(node).opacity) * faded(node.parentElement));
  for (const node of nodes) {
    const own = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim() !== "");
    if (!own || node.tagName === "title" || node.closest("[aria-disabled=true]") !== null) continue;
    const style = getComputedStyle(node);
    const ink = [...parse(node instanceof SVGElement ? style.fill : style.color)];
    ink[3] *= faded(node);
    const ground = behind(node);
    const [a, b] = [luminance(over(ink, ground)), luminance(ground)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) say(`contrast ${contrast.toFixed(2)}`, node);
  }
  return [...new Set(found)].slice(0, 30);
})()
