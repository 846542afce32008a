using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;

namespace Shisanzhi.Tests
{
    /// <summary>The golden files, found from wherever the tests run.</summary>
    internal static class Vectors
    {
        /// <summary>Reads a file of one JSON object a line; one without any fails whoever asks for it.</summary>
        public static IReadOnlyList<JsonElement> Read(string name)
        {
            string[] lines = File.ReadAllLines(Path.Combine(Folder(), name));
            Assert(lines.Length > 0, $"expected cases in {name}, got none");
            return lines.Select(line => JsonDocument.Parse(line).RootElement).ToList();
        }

        /// <summary>Reads a text; null where there is none.</summary>
        public static string TextOrNull(JsonElement element)
        {
            return element.ValueKind == JsonValueKind.Null ? null : element.GetString();
        }

        private static string Folder()
        {
            DirectoryInfo folder = new DirectoryInfo(AppContext.BaseDirectory);
            while (folder != null && !Directory.Exists(Path.Combine(folder.FullName, "tests", "vectors")))
            {
                folder = folder.Parent;
            }

            Assert(folder != null, "expected the tests to run within the repository");
            return Path.Combine(folder.FullName, "tests", "vectors");
        }

        private static void Assert(bool holds, string message)
        {
            if (!holds)
            {
                throw new InvalidOperationException(message);
            }
        }
    }
}
