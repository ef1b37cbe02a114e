// Draws charts with Mermaid and measures what was drawn, in the same layout.
// Coordinates are those of the SVG's own client box: pixels, origin top-left.
"use strict";

const CHART_ID = "chart";
let measured = null;

// Mermaid removes its temporary drawing when it is done: the last moment at which boxes exist.
const removeElement = Element.prototype.remove;
Element.prototype.remove = function () {
  if (this.id === "d" + CHART_ID) measured = measure(this.querySelector("svg"));
  removeElement.call(this);
};

function boxOf(rect, origin) {
  return [rect.left - origin.left, rect.top - origin.top, rect.right - origin.left,
    rect.bottom - origin.top];
}

function union(boxes) {
  return [Math.min(...boxes.map((b) => b[0])), Math.min(...boxes.map((b) => b[1])),
    Math.max(...boxes.map((b) => b[2])), Math.max(...boxes.map((b) => b[3]))];
}

// Distance from the top of a line's content area to its baseline, by font size.
const ascents = new Map();
function ascent(style) {
  const key = style.fontSize + style.fontWeight + style.fontStyle;
  if (!ascents.has(key)) {
    const line = document.createElement("span");
    line.style.cssText = "position:absolute;white-space:pre;line-height:1.5";
    line.style.font = style.font;
    const strut = document.createElement("span");
    strut.style.cssText = "display:inline-block;width:0;height:0";
    line.append(document.createTextNode("x"), strut);
    document.body.append(line);
    const range = document.createRange();
    range.selectNodeContents(line.firstChild);
    ascents.set(key, strut.getBoundingClientRect().bottom - range.getBoundingClientRect().top);
    removeElement.call(line);
  }
  return ascents.get(key);
}

const canvas = document.createElement("canvas").getContext("2d");

function pieces(node, origin) {
  const style = getComputedStyle(node.parentElement);
  const font = { colour: style.color, size: parseFloat(style.fontSize), weight: style.fontWeight,
    style: style.fontStyle, ascent: ascent(style) };
  const range = document.createRange();
  const found = [];
  const add = (from, to) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    const rects = [...range.getClientRects()].filter((r) => r.width > 0);
    if (rects.length > 1 && to - from > 1) {
      // A word broken over lines: split where the line changes.
      const tops = [];
      for (let i = from; i < to; i++) {
        range.setStart(node, i);
        range.setEnd(node, i + 1);
        tops.push(range.getBoundingClientRect().top);
      }
      let begin = from;
      for (let i = from + 1; i <= to; i++) {
        if (i === to || tops[i - from] !== tops[begin - from]) {
          if (begin === from && i === to) { push(from, to, rects); return; }
          add(begin, i);
          begin = i;
        }
      }
      return;
    }
    push(from, to, rects);
  };
  const push = (from, to, rects) => {
    if (!rects.length) return;
    const box = union(rects.map((r) => boxOf(r, origin)));
    const text = node.data.slice(from, to);
    const x = box[0];
    // A glyph like j reaches out of its advance: the box holds the ink.
    canvas.font = style.font;
    const ink = canvas.measureText(text);
    box[0] = Math.min(box[0], x - ink.actualBoundingBoxLeft);
    box[2] = Math.max(box[2], x + ink.actualBoundingBoxRight);
    const baseline = box[1] + font.ascent;
    box[1] = Math.min(box[1], baseline - ink.actualBoundingBoxAscent);
    box[3] = Math.max(box[3], baseline + ink.actualBoundingBoxDescent);
    found.push({ text, box, x, baseline, ...font });
  };
  for (const match of node.data.matchAll(/\S+/g)) add(match.index, match.index + match[0].length);
  return found;
}

function readLabel(foreign, origin) {
  const words = [];
  const fills = [];
  const walker = document.createTreeWalker(foreign, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeType === Node.TEXT_NODE) { words.push(...pieces(node, origin)); continue; }
    const colour = getComputedStyle(node).backgroundColor;
    if (colour === "rgba(0, 0, 0, 0)" || colour === "transparent") continue;
    for (const rect of node.getClientRects()) {
      if (rect.width && rect.height) fills.push({ box: boxOf(rect, origin), colour });
    }
  }
  return { words, fills };
}

function measure(svg) {
  const origin = svg.getBoundingClientRect();
  const labels = [...svg.querySelectorAll("foreignObject")].map((foreign) => {
    const link = foreign.closest("g.edgeLabels g.label");
    const node = foreign.closest("g.node");
    const group = foreign.closest("g.cluster");
    const owner = link ? ["link", link.dataset.id] : node ? ["node", node.id]
      : group ? ["group", group.id] : ["none", ""];
    return { owner, box: boxOf(foreign.getBoundingClientRect(), origin),
      ...readLabel(foreign, origin) };
  });
  const nodes = [...svg.querySelectorAll("g.node")].map((node) => {
    const outline = [...node.children].filter((child) => !child.classList.contains("label"));
    const fills = outline.flatMap((c) => [c, ...c.querySelectorAll("*")])
      .filter((c) => c.tagName !== "g").map((c) => getComputedStyle(c).fill);
    return { id: node.id, fill: fills.find((fill) => fill !== "none") ?? "none",
      box: union(outline.map((c) => boxOf(c.getBoundingClientRect(), origin))) };
  });
  const groups = [...svg.querySelectorAll("g.cluster")].map((group) => {
    const rect = group.querySelector("rect");
    return { id: group.id, box: boxOf(rect.getBoundingClientRect(), origin),
      fill: getComputedStyle(rect).fill };
  });
  const links = [...svg.querySelectorAll("path.flowchart-link")].map((path) => {
    const style = getComputedStyle(path);
    const { e, f } = path.getCTM();
    return { id: path.dataset.id, d: path.getAttribute("d"), offset: [e, f], colour: style.stroke,
      width: parseFloat(style.strokeWidth), start: path.getAttribute("marker-start") ?? "",
      end: path.getAttribute("marker-end") ?? "" };
  });
  const markers = [...svg.querySelectorAll("marker")].map((marker) => ({ id: marker.id,
    view_box: marker.getAttribute("viewBox"), width: marker.markerWidth.baseVal.value,
    anchor: [marker.refX.baseVal.value, marker.refY.baseVal.value] }));
  return { size: [origin.width, origin.height], nodes, groups, links, labels, markers };
}

function graphOf(db) {
  return {
    direction: db.getDirection(),
    nodes: [...db.getVertices().values()].map((v) => [v.id, v.text ?? v.id, v.type ?? ""]),
    links: db.getEdges().map((e) => [e.start, e.end, e.text ?? "", e.stroke, e.type]),
    groups: db.getSubGraphs().map((g) => [g.id, g.title, g.nodes]),
  };
}

async function draw(code) {
  try {
    measured = null;
    const { svg, db } = await mermaid.render(CHART_ID, code);
    const parsed = db ?? (await mermaid.mermaidAPI.getDiagramFromText(code)).db;
    return { svg, graph: graphOf(parsed), ...measured };
  } catch (error) {
    return { error: String(error?.message ?? error) };
  }
}

async function drawAll(codes) {
  const charts = [];
  for (const code of codes) charts.push(await draw(code));
  return JSON.stringify(charts);
}

async function prepare(config, fonts) {
  for (const { family, data } of fonts) {
    const face = new FontFace(family, `url(${data})`);
    document.fonts.add(await face.load());
  }
  mermaid.initialize(config);
}
